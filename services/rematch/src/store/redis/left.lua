-- When somebody turned to another game: what is told late doesn't hide what was told before.
-- Keys: left. Arguments: when in ms, lifetime in ms.
local left = redis.call('GET', KEYS[1])
if not left or tonumber(left) < tonumber(ARGV[1]) then
  redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
end

-- What is due, which nobody else is given for a while, and when something is due next.
-- Keys: deadlines. Arguments: now, until when it is taken, how many.
local due = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', ARGV[1], 'LIMIT', 0, ARGV[3])
for _, game in ipairs(due) do
  redis.call('ZADD', KEYS[1], ARGV[2], game)
end
local first = redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')
return { due, first[2] or false }

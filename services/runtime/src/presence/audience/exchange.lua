-- A gateway posts how many watch each table there, and is answered with the sums of all gateways.
-- Keys: gateways. Arguments: gateway, lease in ms, then a table and its number, and so on.
local gateway, lease = ARGV[1], ARGV[2]
local mine = KEYS[1] .. ':' .. gateway
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZADD', KEYS[1], now + lease, gateway)
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
redis.call('DEL', mine)
for i = 3, #ARGV, 2 do
  redis.call('HSET', mine, ARGV[i], ARGV[i + 1])
end
redis.call('PEXPIRE', mine, lease)
local sums = {}
for _, other in ipairs(redis.call('ZRANGE', KEYS[1], 0, -1)) do
  local counts = redis.call('HGETALL', KEYS[1] .. ':' .. other)
  for i = 1, #counts, 2 do
    sums[counts[i]] = (sums[counts[i]] or 0) + tonumber(counts[i + 1])
  end
end
local answer = {}
for watched, count in pairs(sums) do
  answer[#answer + 1] = watched
  answer[#answer + 1] = count
end
return answer

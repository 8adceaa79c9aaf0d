-- Accounts of dead gateways begin to leave, and those that have been leaving for long enough are offline.
-- Keys: leases, online, leaving. Arguments: channel, prefix of the sets, gateway, lease in ms, offline after ms.
local channel, prefix = ARGV[1], ARGV[2]
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local dead = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', now, 'WITHSCORES')
for i = 1, #dead, 2 do
  redis.call('ZREM', KEYS[1], dead[i])
end
local gateways = redis.call('ZRANGE', KEYS[1], 0, -1)
for i = 1, #dead, 2 do
  for _, account in ipairs(redis.call('SMEMBERS', prefix .. dead[i])) do
    local stays = false
    for _, other in ipairs(gateways) do
      stays = stays or redis.call('SISMEMBER', prefix .. other, account) == 1
    end
    if not stays then
      redis.call('ZADD', KEYS[3], 'NX', dead[i + 1], account)
    end
  end
  redis.call('DEL', prefix .. dead[i])
end
-- The rest goes with the next sweep.
for _, account in ipairs(redis.call('ZRANGEBYSCORE', KEYS[3], '-inf', now - ARGV[5], 'LIMIT', 0, 1000)) do
  redis.call('ZREM', KEYS[3], account)
  redis.call('SREM', KEYS[2], account)
  redis.call('PUBLISH', channel, '-' .. account)
end
return 0

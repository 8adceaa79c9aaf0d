-- Accounts have no connection at a gateway any more. Who has none at another either begins to leave.
-- Keys: leases, online, leaving. Arguments: channel, prefix of the sets, gateway, lease in ms, accounts.
local prefix, gateway = ARGV[2], ARGV[3]
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local gateways = redis.call('ZRANGE', KEYS[1], 0, -1)
for i = 5, #ARGV do
  redis.call('SREM', prefix .. gateway, ARGV[i])
  local stays = redis.call('SISMEMBER', KEYS[2], ARGV[i]) == 0
  for _, other in ipairs(gateways) do
    stays = stays or redis.call('SISMEMBER', prefix .. other, ARGV[i]) == 1
  end
  if not stays then
    redis.call('ZADD', KEYS[3], 'NX', now, ARGV[i])
  end
end
return 0

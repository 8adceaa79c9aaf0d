-- A gateway is alive. Answers 1 if it counted as dead, or was never heard of.
-- Keys: leases. Arguments: channel, prefix of the sets, gateway, lease in ms.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
return redis.call('ZADD', KEYS[1], now + ARGV[4], ARGV[3])

-- Letters that have waited for long, by the clock of Redis, which names them.
-- Keys: outbox. Arguments: age in ms, how many.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
return redis.call('XRANGE', KEYS[1], '-', tostring(now - ARGV[1]), 'COUNT', ARGV[2])

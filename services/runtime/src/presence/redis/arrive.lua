-- Accounts came to a gateway. Answers 1 if the gateway counted as dead.
-- Keys: leases, online, leaving. Arguments: channel, prefix of the sets, gateway, lease in ms, accounts.
local channel, mine, gateway = ARGV[1], ARGV[2] .. ARGV[3], ARGV[3]
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local revived = redis.call('ZADD', KEYS[1], 'NX', now + ARGV[4], gateway)
for i = 5, #ARGV do
  redis.call('SADD', mine, ARGV[i])
  redis.call('ZREM', KEYS[3], ARGV[i])
  if redis.call('SADD', KEYS[2], ARGV[i]) == 1 then
    redis.call('PUBLISH', channel, '+' .. ARGV[i])
  end
end
return revived

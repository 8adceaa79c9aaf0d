-- Makes a change if nobody was faster: the entry, its deadline, the last games of its players, what is to be told.
-- An entry is kept as one value, its version and then itself: a hash of two fields takes twice the memory.
-- Keys: entry, deadlines, outbox, then two for each player who counts: last game, left.
-- Arguments: version that was read ('' for none), new version, entry, lifetime in ms, deadline in ms ('' for none),
-- game, ended at in ms ('' unless it opens), lifetime of the last games in ms, then the messages.
local kept = redis.call('GET', KEYS[1])
local version = kept and string.match(kept, '^%d+') or ''
if version ~= ARGV[1] then
  return { 'conflict' }
end
if ARGV[7] ~= '' then
  for i = 4, #KEYS, 2 do
    local left = redis.call('GET', KEYS[i + 1])
    if left and tonumber(left) >= tonumber(ARGV[7]) then
      return { 'left' }
    end
  end
end
redis.call('SET', KEYS[1], ARGV[2] .. ARGV[3], 'PX', ARGV[4])
if ARGV[5] == '' then
  redis.call('ZREM', KEYS[2], ARGV[6])
else
  redis.call('ZADD', KEYS[2], ARGV[5], ARGV[6])
end
local before = {}
if ARGV[7] ~= '' then
  for i = 4, #KEYS, 2 do
    local game = redis.call('GET', KEYS[i])
    if game and game ~= ARGV[6] then
      before[#before + 1] = game
    end
    redis.call('SET', KEYS[i], ARGV[6], 'PX', ARGV[8])
  end
end
local letters = {}
for i = 9, #ARGV do
  letters[#letters + 1] = redis.call('XADD', KEYS[3], '*', 'm', ARGV[i])
end
return { 'yes', letters, before }

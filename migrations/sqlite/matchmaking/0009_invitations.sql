-- In how many games of late somebody has seated friends.
CREATE INDEX games_of_friends ON games (opener, created_at) WHERE origin = 'friends';

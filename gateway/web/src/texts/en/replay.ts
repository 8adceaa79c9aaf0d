// English for finished games that are looked at again.

export const replay = {
  title: 'Replay',
  first: 'To the beginning',
  back: 'One step back',
  forward: 'One step on',
  last: 'To the end',
  play: 'Play by itself',
  pause: 'Pause',
  step: 'Step',
  at: (step: number, of: number) => `${step} of ${of}`,
  begun: 'The beginning',
  eyes: 'Hands of',
  all: 'everybody',
  link: 'Copy link',
  reveal: 'Show how it ended',
  secret: 'How it ended is not shown yet',
  secretText: 'Step through the game, or look at the end at once.',
  certificate: 'Download the certificate',
  notation: (name: string) => `Download as ${name}`,
  tableDid: 'The table did this by itself',
};

export const past = {
  title: 'My games',
  open: 'All my games',
  none: 'You have not played a game yet.',
  going: 'Still going on',
  fresh: 'Watch it from the beginning',
  more: 'Show more',
};

import { expect, test } from 'vitest';
import { gamePath, routeOf } from './route';

const at = (address: string) => routeOf(new URL(address, 'http://x'));

test('addresses stand for pages', () => {
  expect(at('/')).toEqual({ page: 'lobby' });
  expect(at('/?bot=3')).toEqual({ page: 'lobby', bot: '3' });
  expect(at('/?bot=')).toEqual({ page: 'lobby', bot: '' });
  expect(at(gamePath('0193'))).toEqual({ page: 'table', gameId: '0193' });
  expect(at('/game/0193/')).toEqual({ page: 'table', gameId: '0193' });
  expect(at('/games')).toEqual({ page: 'past' });
  expect(at('/game/0193?step=12')).toEqual({ page: 'table', gameId: '0193', step: 12 });
  expect(at('/game/0193?step=x')).toEqual({ page: 'table', gameId: '0193' });
  for (const odd of ['/game', '/game/', '/game/a/b', '/lobby', '//game/x']) {
    expect(at(odd).page).toBe('unknown');
  }
});

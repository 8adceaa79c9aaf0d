// Where the reader is, and how they get elsewhere. Two pages need no library.

import { routeOf, type Route } from './route';

class Router {
  route: Route = $state.raw(routeOf(location));

  constructor() {
    addEventListener('popstate', () => (this.route = routeOf(location)));
  }

  /** Goes to an address of this page; `instead` leaves no way back to the present one. */
  go(path: string, instead = false): void {
    if (instead) {
      history.replaceState(null, '', path);
    } else {
      history.pushState(null, '', path);
    }
    this.route = routeOf(location);
    scrollTo(0, 0);
  }

  /** Makes a plain click on a link stay on the page. */
  follow = (event: MouseEvent): void => {
    const link = (event.target as Element).closest('a');
    const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    if (!link || !isPlain || link.target || link.hasAttribute('download') || link.origin !== location.origin) {
      return;
    }
    if (link.hash) {
      return;
    }
    if (routeOf(link).page !== 'unknown') {
      event.preventDefault();
      this.go(link.pathname + link.search);
    }
  };
}

export const router = new Router();
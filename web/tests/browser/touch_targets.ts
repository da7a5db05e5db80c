// Controls that a finger may miss.

import type { Page } from 'playwright-core';

const least = 40; // pixels

// What is smaller, with its size; not links in the middle of a text, and not those of hidden panels.
export function smallTargets(page: Page): Promise<string[]> {
  return page.evaluate(
    least =>
      [...document.querySelectorAll<HTMLElement>('button:not(.link), input:not(.offscreen), select')].flatMap(one => {
        const { width, height, x, y } = one.getBoundingClientRect();
        const isSeen = width > 1 && height > 1 && x < innerWidth && y < innerHeight && x + width > 0;
        if (!isSeen || one.closest('.offscreen, [role=gridcell], [role=row], .listing-body')) return [];
        const around = one.matches('input') ? one.parentElement!.getBoundingClientRect() : { width, height };
        if (Math.max(width, around.width) >= least - 0.5 && Math.max(height, around.height) >= least - 0.5) return [];
        return [`${one.getAttribute('aria-label') ?? one.textContent}: ${Math.round(width)} × ${Math.round(height)}`];
      }),
    least,
  );
}

import type { JSX } from 'solid-js';

export function Mark(): JSX.Element {
  return (
    <svg class="mark" viewBox="0 0 16 16" width="18" height="18" aria-hidden="true">
      <path d="M1 11.5h14v3H1zM3.5 6.5h9v3h-9zM6 1.5h4v3H6z" />
    </svg>
  );
}

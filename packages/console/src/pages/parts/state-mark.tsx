import type { JSX } from 'preact';
import type { ClusterState } from '../../model/fleet.js';
import { stateNames } from '../../model/fleet-list.js';

export type Tone = 'good' | 'wait' | 'bad' | 'off';

export const toneOf: Readonly<Record<ClusterState, Tone>> = {
  available: 'good',
  coming: 'wait',
  unavailable: 'bad',
  blocked: 'bad',
  deleting: 'off',
};

const shapes: Readonly<Record<Tone, JSX.Element>> = {
  good: <circle cx="6" cy="6" r="4" />,
  wait: <path d="M6 2a4 4 0 1 1-4 4" fill="none" stroke="currentColor" stroke-width="2" />,
  bad: <path d="M6 1.5 11 10.5H1z" />,
  off: <path d="M3 3l6 6M9 3l-6 6" stroke="currentColor" stroke-width="2" />,
};

/** Shows a state by shape and colour, never by colour alone. */
export function Mark({ tone }: { readonly tone: Tone }): JSX.Element {
  return (
    <svg class={`mark ${tone}`} viewBox="0 0 12 12" width="12" height="12" aria-hidden="true">
      {shapes[tone]}
    </svg>
  );
}

export function StateMark({ state }: { readonly state: ClusterState }): JSX.Element {
  return (
    <span class={`state ${toneOf[state]}`}>
      <Mark tone={toneOf[state]} />
      {stateNames[state]}
    </span>
  );
}

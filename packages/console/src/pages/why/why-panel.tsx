import type { JSX } from 'preact';
import type { CauseView, WhyView } from '../../model/why.js';
import { Mark } from '../parts/state-mark.js';
import { ObjectLink } from '../parts/object-link.js';

const titles: Readonly<Record<CauseView['state'], string>> = {
  blocked: 'Blocked: action required',
  failing: 'Failing: action required',
  held: 'On hold by configuration',
  progress: 'In progress',
};

/** Why the object is not healthy: the root cause, the evidence and the next commands. */
export function WhyPanel({ why }: { readonly why: WhyView }): JSX.Element | null {
  const { root, others, verdict } = why;
  if (root === undefined) return null;
  return (
    <section class={`why-panel ${verdict}`} aria-labelledby="why-title">
      <h2 id="why-title">
        <Mark tone={verdict === 'blocked' ? 'bad' : 'wait'} />
        {titles[root.state]}
      </h2>
      <Cause cause={root} />
      {others.length > 0 && (
        <details>
          <summary>
            {others.length} further {others.length === 1 ? 'cause' : 'causes'}
          </summary>
          {others.map((cause) => (
            <Cause key={`${cause.cause} ${cause.object.name}`} cause={cause} />
          ))}
        </details>
      )}
    </section>
  );
}

function Cause({ cause }: { readonly cause: CauseView }): JSX.Element {
  return (
    <div class="cause">
      <p class="cause-message">
        <ObjectLink of={cause.object} />: {cause.message}
      </p>
      <p class="means">
        {cause.means} {cause.remedy}
      </p>
      {cause.path.length > 1 && (
        <ol class="path" aria-label="From the symptom to the cause">
          {cause.path.map(({ object, relation }) => (
            <li key={`${object.kind} ${object.name}`}>
              {relation !== '' && <span class="relation">{relation}</span>}
              <ObjectLink of={object} />
            </li>
          ))}
        </ol>
      )}
      {cause.evidence.length > 0 && (
        <details>
          <summary>Evidence</summary>
          <ul class="evidence">
            {cause.evidence.map(({ object, fact }) => (
              <li key={fact}>
                <ObjectLink of={object} /> <span class="fact">{fact}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
      {cause.next.length > 0 && (
        <details>
          <summary>Next commands</summary>
          <pre class="commands">{cause.next.join('\n')}</pre>
        </details>
      )}
    </div>
  );
}

import type { JSX } from 'preact';
import type { Outcome, PlanView } from '../../model/plan.js';

const marks: Readonly<Record<Outcome, string>> = { create: '+', replace: '±', update: '~', delete: '−' };
const outcomes: readonly Outcome[] = ['delete', 'replace', 'update', 'create'];

export function PlanResult({ plan }: { readonly plan: PlanView }): JSX.Element {
  const { summary, machines, steps, objects, unsettled, simulatedSeconds } = plan;
  return (
    <section aria-label="Planned changes">
      <ul class="plan-summary">
        {outcomes.toReversed().map((outcome) => (
          <li key={outcome} class={summary[outcome] === 0 ? 'none' : outcome}>
            <b>{summary[outcome]}</b> {outcome}
          </li>
        ))}
        <li class="soft">complete after {simulatedSeconds} s of simulated time</li>
      </ul>
      {unsettled.length > 0 && (
        <div class="problem">
          The simulation did not reach a stable state:
          {unsettled.map(({ kind, name, reason, message }) => (
            <p key={`${kind} ${name}`}>
              {kind} {name}: {reason} {message}
            </p>
          ))}
        </div>
      )}
      {machines.length > 0 && <MachineTable machines={machines} />}
      {steps.length > 0 && <Steps steps={steps} />}
      {objects.length > 0 && (
        <details open={machines.length === 0}>
          <summary>{objects.length} other objects</summary>
          <ul class="plan-steps">
            {objects.map(({ outcome, kind, namespace, name }) => (
              <li key={`${kind} ${namespace}/${name}`}>
                {outcome} <span class="kind">{kind}</span> {namespace}/{name}
              </li>
            ))}
          </ul>
        </details>
      )}
      {machines.length === 0 && objects.length === 0 && <p class="empty">The manifest changes nothing.</p>}
    </section>
  );
}

function MachineTable({ machines }: Pick<PlanView, 'machines'>): JSX.Element {
  return (
    <div class="table-box" tabIndex={0} role="group" aria-label="Machines (scrollable)">
      <table>
        <thead>
          <tr>
            <th scope="col">Machine</th>
            <th scope="col">Belongs to</th>
            <th scope="col">Version</th>
            <th scope="col">Why</th>
          </tr>
        </thead>
        <tbody>
          {outcomes
            .flatMap((outcome) => machines.filter((one) => one.outcome === outcome))
            .map(({ outcome, machine, group, version, newVersion, why }, index) => (
              <tr key={index}>
                <td class={`outcome ${outcome}`}>
                  <b aria-hidden="true">{marks[outcome]}</b> {outcome} {machine ?? ''}
                </td>
                <td>
                  <span class="kind">{group.kind}</span> {group.name}
                </td>
                <td>{newVersion === undefined || newVersion === version ? version : `${version} → ${newVersion}`}</td>
                <td class="message">{why}</td>
              </tr>
            ))}
        </tbody>
      </table>
    </div>
  );
}

function Steps({ steps }: Pick<PlanView, 'steps'>): JSX.Element {
  return (
    <details>
      <summary>Order of changes: {steps.length} steps</summary>
      <ol class="plan-steps">
        {steps.map(({ verb, machine, isNew, group, afterSeconds }, index) => (
          <li key={index}>
            {verb} {isNew && verb === 'create' ? `a machine of ${group.kind} ${group.name}` : machine}{' '}
            <small class="soft">{afterSeconds < 0 ? 'already in progress' : `after ${afterSeconds} s`}</small>
          </li>
        ))}
      </ol>
    </details>
  );
}

import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { PlanView } from '../../model/plan.js';
import { readOnlyText, problemText } from '../actions/cluster-actions.js';
import { postJson } from '../connection/api.js';
import { useConnection } from '../connection/connection-state.js';
import { useFeed } from '../connection/use-feed.js';
import { useSession } from '../shell/session-context.js';
import { PlanResult } from './plan-result.js';

/** A plan with the manifest that it was made for. It is valid for this manifest only. */
interface Planned {
  readonly manifest: string;
  readonly namespace: string;
  readonly plan: PlanView;
}

export function PlanPage(): JSX.Element {
  useFeed('view=pulse');
  const [manifest, setManifest] = useState('');
  const [namespace, setNamespace] = useState('default');
  const { planned, busy, problem, applied, plan, apply } = usePlanning(manifest, namespace);
  const isCurrent = planned?.manifest === manifest && planned.namespace === namespace;
  return (
    <main id="main" class="plan-page">
      <h1>Plan a change</h1>
      <p class="soft">
        Paste a manifest. The controllers simulate its effect on a copy of the management cluster. Nothing is changed
        until you apply the manifest.
      </p>
      <label class="hidden" for="manifest">
        Manifest
      </label>
      <textarea
        id="manifest"
        spellcheck={false}
        rows={18}
        placeholder="apiVersion: cluster.x-k8s.io/v1beta2&#10;kind: Cluster&#10;…"
        value={manifest}
        onInput={(event) => setManifest(event.currentTarget.value)}
      />
      <div class="plan-buttons">
        <label>
          Namespace <input type="text" value={namespace} onInput={(event) => setNamespace(event.currentTarget.value)} />
        </label>
        <PlanButtons busy={busy} isEmpty={manifest.trim() === ''} isPlanned={isCurrent} onPlan={plan} onApply={apply} />
        {planned !== undefined && !isCurrent && <span class="wait">The manifest has changed: plan it again.</span>}
      </div>
      <div aria-live="polite">
        {problem !== '' && <p class="problem">{problem}</p>}
        {applied.length > 0 && <p class="told">Applied {applied.join(', ')}.</p>}
        {planned !== undefined && isCurrent && <PlanResult plan={planned.plan} />}
      </div>
    </main>
  );
}

interface Planning {
  readonly planned: Planned | undefined;
  readonly busy: '' | 'plan' | 'apply';
  readonly problem: string;
  readonly applied: readonly string[];
  readonly plan: () => void;
  readonly apply: () => void;
}

function usePlanning(manifest: string, namespace: string): Planning {
  const [planned, setPlanned] = useState<Planned | undefined>();
  const [busy, setBusy] = useState<Planning['busy']>('');
  const [problem, setProblem] = useState('');
  const [applied, setApplied] = useState<readonly string[]>([]);
  const run = async (what: Planning['busy'], work: () => Promise<void>): Promise<void> => {
    setBusy(what);
    setProblem('');
    setApplied([]);
    try {
      await work();
    } catch (error) {
      setProblem(problemText(error));
    }
    setBusy('');
  };
  const plan = (): void =>
    void run('plan', async () => {
      setPlanned(undefined);
      setPlanned({ manifest, namespace, plan: await postJson<PlanView>('plan', { manifest, namespace }) });
    });
  const apply = (): void =>
    void run('apply', async () => {
      const { done } = await postJson<{ done: readonly string[] }>('apply', { manifest, namespace });
      setApplied(done);
      setPlanned(undefined);
    });
  return { planned, busy, problem, applied, plan, apply };
}

interface PlanButtonsProps {
  readonly busy: Planning['busy'];
  readonly isEmpty: boolean;
  readonly isPlanned: boolean;
  readonly onPlan: () => void;
  readonly onApply: () => void;
}

/** The buttons to plan and to apply. Apply is enabled only for the manifest that was planned. */
function PlanButtons({ busy, isEmpty, isPlanned, onPlan, onApply }: PlanButtonsProps): JSX.Element {
  const { mayAct = false } = useSession();
  const { lost } = useConnection();
  const isIdle = busy === '' && lost === '';
  return (
    <>
      <button type="button" class="primary" disabled={isEmpty || !isIdle} onClick={onPlan}>
        {busy === 'plan' ? 'Planning…' : 'Plan'}
      </button>
      <button
        type="button"
        disabled={!mayAct || !isPlanned || !isIdle}
        title={mayAct ? undefined : readOnlyText}
        onClick={onApply}
      >
        {busy === 'apply' ? 'Applying…' : 'Apply'}
      </button>
    </>
  );
}

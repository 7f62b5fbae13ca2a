import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { outlookFor, type ProviderOutlook, type ProviderView } from '../../model/infrastructure.js';
import { problemText } from '../actions/cluster-actions.js';
import { browserClock } from '../clock/browser-clock.js';
import { postJson } from '../connection/api.js';
import { useConnection } from '../connection/connection-state.js';
import { clockTime } from '../parts/text.js';
import { Name, PlatformTable } from './platforms.js';

interface Fetched {
  readonly outlooks: readonly ProviderOutlook[];
  readonly at: number;
}

/** The providers with installed and available versions. */
export function Providers({
  providers,
}: {
  readonly providers: readonly (readonly [key: string, view: ProviderView])[];
}): JSX.Element {
  const [fetched, setFetched] = useState<Fetched>({ outlooks: [], at: 0 });
  if (providers.length === 0)
    return (
      <section aria-label="Providers">
        <h2>Providers</h2>
        <p class="soft">
          No provider is installed, or you are not allowed to list providers. Run <code>slipway init</code> to install
          providers.
        </p>
      </section>
    );
  const isElsewhere = providers.some(([, { outlook }]) => outlook?.isUnasked === true);
  return (
    <PlatformTable
      title="Providers"
      head={isElsewhere && <LookForVersions at={fetched.at} onFetched={setFetched} />}
      columns={['Provider', 'Type', 'Version', 'Newer version']}
    >
      {providers.map(([key, view]) => (
        <tr key={key}>
          <Name tone={view.tone === 'off' ? undefined : view.tone}>
            {view.name} <small class="soft">{view.namespace}</small>
            {view.why !== '' && <span class="row-why">{view.why}</span>}
          </Name>
          <td>{view.type}</td>
          <td>
            {view.installed === '' ? 'none' : view.installed}
            {view.wanted !== '' && ` → ${view.wanted}`}
          </td>
          <td>
            <Newer outlook={outlookFor(view, fetched.outlooks) ?? view.outlook} />
          </td>
        </tr>
      ))}
    </PlatformTable>
  );
}

function Newer({ outlook }: { readonly outlook: ProviderOutlook | undefined }): JSX.Element {
  if (outlook === undefined) return <span class="soft">unknown</span>;
  const { next, how, unknown, isUnasked } = outlook;
  const nothing = isUnasked ? 'not checked' : 'none found';
  return (
    <>
      {next !== '' && (
        <>
          <strong>{next}</strong> <small class="soft">{how}</small>
        </>
      )}
      {unknown !== '' && <span class="row-why">unknown: {unknown}</span>}
      {next === '' && unknown === '' && <span class="soft">{nothing}</span>}
    </>
  );
}

interface LookProps {
  /** Time of the last check; 0 before the first one. */
  readonly at: number;
  readonly onFetched: (fetched: Fetched) => void;
}

/** The button that checks for new versions. Repositories are contacted only after the user clicks it. */
function LookForVersions({ at, onFetched }: LookProps): JSX.Element {
  const { lost } = useConnection();
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState('');
  const check = async (): Promise<void> => {
    setBusy(true);
    setProblem('');
    try {
      const { outlooks } = await postJson<{ outlooks: readonly ProviderOutlook[] }>('provider-versions', {});
      onFetched({ outlooks, at: browserClock.now() });
    } catch (error) {
      setProblem(problemText(error));
    }
    setBusy(false);
  };
  const state = isBusy ? 'Checking the repositories…' : at === 0 ? '' : `Checked at ${clockTime(at)}.`;
  return (
    <div class="plan-buttons">
      <button type="button" disabled={isBusy || lost !== ''} onClick={() => void check()}>
        Check for newer versions
      </button>
      <span class="soft" role="status">
        {state}
      </span>
      {problem !== '' && (
        <span class="problem" role="alert">
          {problem}
        </span>
      )}
    </div>
  );
}

import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { AccessView, Action } from '../../model/action.js';
import type { ClusterView, Ref } from '../../model/cluster.js';
import { ApiError, getJson, postJson } from '../connection/api.js';
import { useConnection } from '../connection/connection-state.js';
import { useSession } from '../shell/session-context.js';
import { DeleteDialog, ScaleDialog, UpgradeDialog } from './action-dialogs.js';

interface ClusterActionsProps {
  readonly view: ClusterView;
  readonly cluster: Ref;
}

type Asked = 'scale' | 'upgrade' | 'delete' | undefined;

/**
 * The buttons for actions on a cluster. They are disabled without permission; the API server checks the permissions again on each
 * action.
 */
export function ClusterActions({ view, cluster }: ClusterActionsProps): JSX.Element {
  const access = useAccess(cluster, view);
  const [asked, setAsked] = useState<Asked>();
  const [told, setTold] = useState<{ readonly text: string; readonly isProblem: boolean } | undefined>();
  const onAct = async (action: Action): Promise<void> => {
    setAsked(undefined);
    try {
      const { done } = await postJson<{ done: string }>('action', action);
      setTold({ text: `${done}.`, isProblem: false });
    } catch (error) {
      setTold({ text: problemText(error), isProblem: true });
    }
  };
  const dialog = { view, cluster, access, onAct, onClose: () => setAsked(undefined) };
  return (
    <div class="actions">
      {view.hasKubeconfig && access?.kubeconfig === true && <KubeconfigLink cluster={cluster} />}
      <Buttons view={view} cluster={cluster} access={access} onAsk={setAsked} onAct={onAct} />
      {told !== undefined && (
        <p class={told.isProblem ? 'problem reported' : 'told'} role="status">
          {told.text}
        </p>
      )}
      {asked === 'scale' && <ScaleDialog {...dialog} />}
      {asked === 'upgrade' && <UpgradeDialog {...dialog} />}
      {asked === 'delete' && <DeleteDialog {...dialog} />}
    </div>
  );
}

function KubeconfigLink({ cluster: { namespace, name } }: { readonly cluster: Ref }): JSX.Element {
  const query = new URLSearchParams({ namespace, name });
  return (
    <a class="button" href={`/console/api/kubeconfig?${query.toString()}`} download>
      Kubeconfig
    </a>
  );
}

interface ButtonsProps extends ClusterActionsProps {
  readonly access: AccessView | undefined;
  readonly onAsk: (asked: Asked) => void;
  readonly onAct: (action: Action) => Promise<void>;
}

function Buttons({ view, cluster, access, onAsk, onAct }: ButtonsProps): JSX.Element {
  const { paused, state } = view.summary;
  const mayScale = Object.values(access?.groups ?? {}).some(Boolean);
  const mayChange = access?.change === true;
  const mayDelete = access?.delete === true && state !== 'deleting';
  const turn = paused ? 'resume' : 'pause';
  return (
    <>
      <ActionButton name="Scale" isAllowed={mayScale} onClick={() => onAsk('scale')} />
      <ActionButton name="Upgrade or roll out" isAllowed={mayScale || mayChange} onClick={() => onAsk('upgrade')} />
      <ActionButton
        name={paused ? 'Resume' : 'Pause'}
        isAllowed={mayChange}
        onClick={() => void onAct({ action: turn, of: cluster })}
      />
      <ActionButton name="Delete" isDanger isAllowed={mayDelete} onClick={() => onAsk('delete')} />
    </>
  );
}

interface ActionButtonProps {
  readonly name: string;
  readonly isAllowed: boolean;
  readonly isDanger?: boolean;
  readonly onClick: () => void;
}

/** A button whose title contains the reason while it is disabled. */
function ActionButton({ name, isAllowed, isDanger = false, onClick }: ActionButtonProps): JSX.Element {
  const { mayAct = false } = useSession();
  const { lost } = useConnection();
  const why = mayAct ? 'You do not have the permission for this action' : readOnlyText;
  const isReady = mayAct && isAllowed && lost === '';
  return (
    <button
      type="button"
      class={isDanger ? 'danger' : ''}
      disabled={!isReady}
      title={isReady ? undefined : why}
      onClick={onClick}
    >
      {name}
    </button>
  );
}

export const readOnlyText = 'This console is read-only for clients on other hosts';

export function problemText(error: unknown): string {
  if (!(error instanceof ApiError)) return String(error);
  return error.remedy === '' ? error.message : `${error.message}: ${error.remedy}`;
}

/**
 * Reads the permissions again when the groups change, and after a reconnect: the response of the last read may have been lost.
 */
function useAccess({ namespace, name }: Ref, { scalables, summary }: ClusterView): AccessView | undefined {
  const { lost } = useConnection();
  const isLive = lost === '';
  const groups = Object.keys(scalables).toSorted().join(' ');
  // The groups of a cluster in deletion disappear one by one. Do not read the permissions for each change.
  const isDeleting = summary.state === 'deleting';
  const [access, setAccess] = useState<AccessView | undefined>();
  useEffect(() => {
    if (isDeleting) return undefined;
    let isCurrent = true;
    getJson<AccessView>(`access?${new URLSearchParams({ namespace, name }).toString()}`).then(
      (found) => {
        if (isCurrent) setAccess(found);
      },
      () => undefined,
    );
    return () => {
      isCurrent = false;
    };
  }, [namespace, name, groups, isLive, isDeleting]);
  return access;
}

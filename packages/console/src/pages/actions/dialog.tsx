import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

interface DialogProps {
  readonly title: string;
  readonly confirm: string;
  readonly isReady: boolean;
  readonly isDanger?: boolean;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** Uses the browser's dialog element, which traps the focus, closes on Escape and has the ARIA role. */
export function Dialog({
  title,
  confirm,
  isReady,
  isDanger = false,
  onConfirm,
  onClose,
  children,
}: DialogProps): JSX.Element {
  const box = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    box.current?.showModal();
  }, []);
  return (
    <dialog ref={box} aria-labelledby="dialog-title" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (isReady) onConfirm();
        }}
      >
        <h2 id="dialog-title">{title}</h2>
        {children}
        <div class="dialog-buttons">
          <button type="button" onClick={() => box.current?.close()}>
            Cancel
          </button>
          <button type="submit" class={isDanger ? 'danger' : 'primary'} disabled={!isReady}>
            {confirm}
          </button>
        </div>
      </form>
    </dialog>
  );
}

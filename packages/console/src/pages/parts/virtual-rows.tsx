import type { ComponentChildren, JSX, RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

interface VirtualRowsProps {
  readonly count: number;
  readonly rowPx: number;
  /** Index of the row that is always rendered, because it may have the focus; -1 for none. */
  readonly active: number;
  /** A new value scrolls the active row into view. */
  readonly moves: number;
  readonly label: string;
  /** A new value scrolls to the top. */
  readonly order: string;
  readonly head?: ComponentChildren;
  readonly children: (index: number) => ComponentChildren;
  readonly onKeyDown?: (event: KeyboardEvent) => void;
}

/** Number of rows that are rendered beyond the visible area, so that fast scrolling shows no gap. */
const spareRows = 8;

/** Renders only visible rows. The scroll bar has the size of the complete list. */
export function VirtualRows(props: VirtualRowsProps): JSX.Element {
  const { count, rowPx, active, moves, label, order, head, children, onKeyDown } = props;
  const box = useRef<HTMLDivElement>(null);
  const { top, height } = useScroll(box);
  useLayoutEffect(() => {
    if (box.current !== null) box.current.scrollTop = 0;
  }, [order]);
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null || active < 0) return;
    const headPx = (element.firstElementChild as HTMLElement | null)?.dataset['head'] === 'yes' ? rowPx : 0;
    const from = active * rowPx;
    if (from < element.scrollTop) element.scrollTop = from;
    else if (from + rowPx + headPx > element.scrollTop + element.clientHeight)
      element.scrollTop = from + rowPx + headPx - element.clientHeight;
  }, [moves, rowPx]);
  const first = Math.max(0, Math.floor(top / rowPx) - spareRows);
  const last = Math.min(count, Math.ceil((top + height) / rowPx) + spareRows);
  const seen = Array.from({ length: Math.max(0, last - first) }, (_, offset) => first + offset);
  const isBeyond = active >= 0 && active < count && (active < first || active >= last);
  const indexes = isBeyond ? [...seen, active] : seen;
  return (
    <div class="rows" ref={box} role="table" aria-label={label} aria-rowcount={count + 1} onKeyDown={onKeyDown}>
      {head}
      <div role="rowgroup" class="rows-all" style={{ height: `${count * rowPx}px` }}>
        {indexes.map((index) => children(index))}
      </div>
    </div>
  );
}

function useScroll(box: RefObject<HTMLDivElement | null>): { readonly top: number; readonly height: number } {
  const [scroll, setScroll] = useState({ top: 0, height: 800 });
  useEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    let frame = 0;
    const measure = (): void => {
      frame = 0;
      setScroll({ top: element.scrollTop, height: element.clientHeight });
    };
    const later = (): void => {
      if (frame === 0) frame = requestAnimationFrame(measure);
    };
    const resize = new ResizeObserver(later);
    resize.observe(element);
    element.addEventListener('scroll', later, { passive: true });
    measure();
    return () => {
      cancelAnimationFrame(frame);
      resize.disconnect();
      element.removeEventListener('scroll', later);
    };
  }, [box]);
  return scroll;
}

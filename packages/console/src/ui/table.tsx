import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ListState } from '../api/load';
import { Button, Failure, Skeleton } from './basics';

export interface Column<T> {
  readonly title: string;
  readonly numeric?: boolean;
  /** True for long texts. They wrap, so the row gets higher. Only for small tables. */
  readonly wrap?: boolean;
  readonly cell: (row: T) => ComponentChildren;
}

/** The height of a row in pixels. The stylesheet has the same value in `--row`. */
const ROW_PX = 40;
/** Number of rows that are drawn above and below the visible ones. */
const SPARE_ROWS = 20;
/** The next page is loaded if fewer rows than this remain below the visible ones. */
const LOAD_AHEAD_ROWS = 60;

/**
 * A table that draws only the visible rows, so that a list of 100,000 scrolls like one of ten. It
 * loads more rows while the reader scrolls. New rows are announced, so that the shown ones do not
 * move.
 */
export const ListTable = <T,>({
  label,
  columns,
  list,
  getId,
  empty,
}: {
  /** The name of the table for screen readers. */
  label: string;
  columns: readonly Column<T>[];
  list: ListState<T>;
  getId: (row: T) => string;
  empty: ComponentChildren;
}): JSX.Element => {
  const body = useRef<HTMLTableSectionElement>(null);
  const range = useVisibleRows(body, list.rows.length);
  useEffect(() => {
    if (range.end + LOAD_AHEAD_ROWS > list.rows.length && list.hasMore && list.error === null) {
      list.loadMore();
    }
  }, [range.end, list.rows.length, list.hasMore, list.isLoading]);

  if (list.error !== null && list.rows.length === 0) {
    return <Failure error={list.error} retry={list.reload} />;
  }
  if (list.rows.length === 0) {
    return list.isLoading ? (
      <div class="waiting">
        <Skeleton lines={6} />
      </div>
    ) : (
      <>
        <NewRows list={list} />
        {empty}
      </>
    );
  }
  return (
    <>
      <NewRows list={list} />
      <div class="table-wrap" tabIndex={0} role="region" aria-label={label}>
        <table aria-rowcount={list.hasMore ? -1 : list.rows.length}>
          <Head columns={columns} />
          <tbody ref={body}>
            <Gap rows={range.start} columns={columns.length} />
            {list.rows.slice(range.start, range.end).map((row) => (
              <Row key={getId(row)} row={row} columns={columns} />
            ))}
            <Gap rows={list.rows.length - range.end} columns={columns.length} />
          </tbody>
        </table>
      </div>
      <TableFooter list={list} />
    </>
  );
};

/** A small table without scrolling. */
export const Table = <T,>({
  label,
  columns,
  rows,
  getId,
}: {
  label: string;
  columns: readonly Column<T>[];
  rows: readonly T[];
  getId: (row: T) => string;
}): JSX.Element => (
  <div class="table-wrap" tabIndex={0} role="region" aria-label={label}>
    <table>
      <Head columns={columns} />
      <tbody>
        {rows.map((row) => (
          <Row key={getId(row)} row={row} columns={columns} />
        ))}
      </tbody>
    </table>
  </div>
);

const Head = <T,>({ columns }: { columns: readonly Column<T>[] }): JSX.Element => (
  <thead>
    <tr>
      {columns.map(({ title, numeric }) => (
        <th scope="col" class={numeric === true ? 'num' : undefined}>
          {title === '' ? <span class="visually-hidden">Actions</span> : title}
        </th>
      ))}
    </tr>
  </thead>
);

const Row = <T,>({ row, columns }: { row: T; columns: readonly Column<T>[] }): JSX.Element => (
  <tr>
    {columns.map(({ cell, numeric, wrap }) => (
      <td class={numeric === true ? 'num' : wrap === true ? 'wrap' : undefined}>{cell(row)}</td>
    ))}
  </tr>
);

const Gap = ({ rows, columns }: { rows: number; columns: number }): JSX.Element | null =>
  rows <= 0 ? null : (
    <tr aria-hidden="true">
      <td colSpan={columns} style={`height:${rows * ROW_PX}px;padding:0;border:0`} />
    </tr>
  );

const NewRows = <T,>({ list }: { list: ListState<T> }): JSX.Element | null =>
  list.newRows.length === 0 ? null : (
    <div class="new-rows" role="status">
      <Button small kind="quiet" onClick={list.showNew}>
        {list.newRows.length} new
      </Button>
    </div>
  );

const TableFooter = <T,>({ list }: { list: ListState<T> }): JSX.Element | null => {
  if (list.error !== null) return <Failure error={list.error} retry={list.loadMore} />;
  if (!list.hasMore) return null;
  return (
    <div class="waiting">
      {list.isLoading ? (
        <span class="muted small">Loading more …</span>
      ) : (
        <Button small onClick={list.loadMore}>
          Load more
        </Button>
      )}
    </div>
  );
};

/** Returns the range of visible rows, with some more above and below. */
const useVisibleRows = (
  body: { readonly current: HTMLElement | null },
  count: number,
): { readonly start: number; readonly end: number } => {
  const [start, setStart] = useState(0);
  const [visible, setVisible] = useState(Math.ceil(window.innerHeight / ROW_PX));
  useEffect(() => {
    let frame = 0;
    const measure = (): void => {
      frame = 0;
      const top = body.current?.getBoundingClientRect().top ?? 0;
      const first = Math.max(0, Math.floor(-top / ROW_PX) - SPARE_ROWS);
      // The range changes in steps, so that scrolling by a few pixels draws nothing.
      setStart(first - (first % 10));
      setVisible(Math.ceil(window.innerHeight / ROW_PX));
    };
    const schedule = (): void => {
      if (frame === 0) frame = requestAnimationFrame(measure);
    };
    measure();
    window.addEventListener('scroll', schedule, { passive: true });
    window.addEventListener('resize', schedule);
    return () => {
      cancelAnimationFrame(frame);
      window.removeEventListener('scroll', schedule);
      window.removeEventListener('resize', schedule);
    };
  }, [count === 0]);
  const from = Math.min(start, Math.max(0, count - visible));
  return { start: from, end: Math.min(count, from + visible + 2 * SPARE_ROWS + 10) };
};

import type { ComponentChildren, ComponentProps, JSX } from 'preact';
import { useId, useRef } from 'preact/hooks';
import { Button } from './basics';

/**
 * A button that opens a menu below it. After Escape or a choice, the focus returns to the button.
 * Arrow keys, Home and End move inside the menu, and an arrow key on the button opens it.
 */
export const Menu = ({
  opener,
  width,
  isPanel = false,
  children,
}: {
  opener: ComponentProps<typeof Button>;
  /** The width in pixels; as wide as its items without it. */
  width?: number;
  /** True if the menu contains other things than choices. It then stays open, and Tab moves in it. */
  isPanel?: boolean;
  children: ComponentChildren;
}): JSX.Element => {
  const id = useId();
  const menu = useRef<HTMLDivElement>(null);
  return (
    <>
      <Button
        {...opener}
        popovertarget={id}
        onClick={({ currentTarget }) => {
          placeBelow(menu.current, currentTarget);
        }}
        onKeyDown={(event) => {
          if (isPanel || !event.key.startsWith('Arrow')) return;
          menu.current?.showPopover();
          placeBelow(menu.current, event.currentTarget);
          moveFocus(event, menu.current);
        }}
      />
      <div
        ref={menu}
        id={id}
        popover="auto"
        class="menu"
        style={width === undefined ? undefined : { width }}
        // Before the item acts, so that a dialog that it opens gives the focus back to the button.
        onClickCapture={({ currentTarget }) => {
          if (!isPanel) currentTarget.hidePopover();
        }}
        onKeyDown={(event) => {
          if (!isPanel) moveFocus(event, event.currentTarget);
        }}
      >
        {children}
      </div>
    </>
  );
};

/** Moves the focus to the item of the menu that the pressed key stands for. */
const moveFocus = (event: KeyboardEvent, menu: Element | null): void => {
  const items = [...(menu?.querySelectorAll<HTMLElement>('a, button') ?? [])];
  const at = items.findIndex((item) => item === document.activeElement);
  const targets: Readonly<Record<string, number>> = {
    ArrowDown: at + 1,
    ArrowUp: Math.max(at, 0) - 1,
    Home: 0,
    End: -1,
  };
  const target = targets[event.key];
  if (target === undefined) return;
  event.preventDefault();
  items.at(target % items.length)?.focus();
};

/** Positions a popover below its button and inside the window. */
const placeBelow = (menu: HTMLElement | null, button: Element): void => {
  if (menu === null) return;
  const box = button.getBoundingClientRect();
  const width = Math.min(menu.offsetWidth || 520, window.innerWidth - 16);
  menu.style.top = `${box.bottom + 6}px`;
  menu.style.left = `${Math.max(8, Math.min(box.right - width, window.innerWidth - width - 8))}px`;
};

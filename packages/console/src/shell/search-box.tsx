import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { mayLeaveFor, useLocation } from '../ui/address';
import { may, place } from '../api/session';
import { Icon } from '../ui/icons';
import { createTenantPath } from '../ui/page';

/** A search field for any id or e-mail address. The key `/` moves the cursor into it. */
export const SearchBox = (): JSX.Element | null => {
  const [text, setText] = useState('');
  const input = useRef<HTMLInputElement>(null);
  const { route } = useLocation();
  useEffect(() => {
    const focus = (event: KeyboardEvent): void => {
      const target = event.target as HTMLElement;
      if (event.key !== '/' || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)) return;
      event.preventDefault();
      input.current?.focus();
    };
    document.addEventListener('keydown', focus);
    return () => {
      document.removeEventListener('keydown', focus);
    };
  }, []);
  const isInTenant = place.value !== null;
  if (!may(isInTenant ? 'search.find' : 'operator.search.find')) return null;
  return (
    <form
      class="search"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        const query = text.trim();
        if (query === '') return;
        const root = isInTenant ? createTenantPath('/search') : '/console/operator/search';
        const target = `${root}?q=${encodeURIComponent(query)}`;
        if (mayLeaveFor(target)) route(target);
      }}
    >
      <Icon name="search" />
      <input
        ref={input}
        type="search"
        aria-label="Find by id or e-mail"
        placeholder="Paste any id or e-mail"
        value={text}
        onFocus={(event) => {
          // The text of the last search is replaced by what is typed or pasted.
          event.currentTarget.select();
        }}
        onInput={(event) => {
          setText(event.currentTarget.value);
        }}
      />
      <kbd aria-hidden="true">/</kbd>
    </form>
  );
};

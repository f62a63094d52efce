import type { ComponentChildren, JSX } from 'preact';
import { useEffect } from 'preact/hooks';

/** The frame of pages without a session: one card in the middle of the window. */
export const SignInFrame = ({
  title,
  about,
  children,
}: {
  title: string;
  about?: string;
  children: ComponentChildren;
}): JSX.Element => {
  useEffect(() => {
    document.title = `${title} · Console`;
  }, [title]);
  return (
    <main class="centred">
      <div class="card">
        <div>
          <h1>{title}</h1>
          {about === undefined ? null : <p class="muted">{about}</p>}
        </div>
        {children}
      </div>
    </main>
  );
};

import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { type Environment, place } from '../api/session';
import { Breakable, Code } from './basics';
import { Menu } from './menu';
import { SignedOut } from './signed-out';

/** The API call behind a page or a form. */
export interface ApiCall {
  readonly method: string;
  /** The path with its query. It begins with `/v1`, `/operator/v1` or `/console/v1`. */
  readonly path: string;
  readonly body?: unknown;
  /** The same call with the SDK. */
  readonly sdk: string;
}

interface PageProps {
  readonly title: string;
  /** The links above the title. */
  readonly crumbs?: readonly (readonly [string, string])[];
  readonly about?: ComponentChildren;
  readonly badge?: ComponentChildren;
  readonly actions?: ComponentChildren;
  readonly call?: ApiCall;
  readonly children: ComponentChildren;
}

/** The frame of every page: title, description, actions, and the API call behind it. */
export const Page = ({
  title,
  crumbs,
  about,
  badge,
  actions,
  call,
  children,
}: PageProps): JSX.Element => {
  useEffect(() => {
    document.title = `${title} · Console`;
  }, [title]);
  return (
    <main class="page" id="content" tabIndex={-1}>
      <SignedOut />
      <div class="page-head">
        <div>
          {crumbs === undefined ? null : (
            <nav class="crumbs" aria-label="Breadcrumb">
              {crumbs.map(([text, href], index) => (
                <>
                  {index === 0 ? null : ' / '}
                  <a href={href}>{text}</a>
                </>
              ))}
            </nav>
          )}
          <div class="row">
            <h1>
              <Breakable text={title} />
            </h1>
            {badge}
          </div>
          {about === undefined ? null : <p>{about}</p>}
        </div>
        <div class="row">
          {actions}
          {call === undefined ? null : <CallButton call={call} />}
        </div>
      </div>
      {children}
    </main>
  );
};

/** Shows the API call behind a page, as cURL and with the SDK. */
export const CallButton = ({ call }: { call: ApiCall }): JSX.Element => {
  const [language, setLanguage] = useState<'curl' | 'sdk'>('curl');
  return (
    <Menu
      isPanel
      width={520}
      opener={{ kind: 'quiet', icon: 'code', 'aria-label': 'Show the API call behind this page' }}
    >
      <div class="stack">
        <div class="switch" role="group" aria-label="Language">
          {(['curl', 'sdk'] as const).map((name) => (
            <button
              type="button"
              aria-pressed={language === name}
              onClick={() => {
                setLanguage(name);
              }}
            >
              {name === 'curl' ? 'cURL' : 'SDK'}
            </button>
          ))}
        </div>
        <Code
          label="API call"
          text={language === 'curl' ? createCurl(call, location.origin) : call.sdk}
        />
      </div>
    </Menu>
  );
};

export const createCurl = ({ method, path, body }: ApiCall, origin: string): string => {
  const lines = [`curl ${method === 'GET' ? '' : `-X ${method} `}'${origin}${path}'`];
  lines.push(...chooseCredentials(path));
  if (body !== undefined) {
    lines.push("  -H 'Content-Type: application/json'");
    lines.push(`  -d '${JSON.stringify(body, null, 2).replaceAll("'", "'\\''")}'`);
  }
  return lines.join(' \\\n');
};

/** The credential of a call: an API key, the operator token, or the session of a person. */
const chooseCredentials = (path: string): readonly string[] => {
  if (path.startsWith('/console')) {
    return [
      '  -b "__Host-session=$SESSION"',
      `  -H 'X-Service-Tenant: ${place.value?.tenantId ?? ''}'`,
    ];
  }
  return [
    `  -H "Authorization: Bearer $${path.startsWith('/operator') ? 'OPERATOR_TOKEN' : 'API_KEY'}"`,
  ];
};

/** Shown instead of SDK code if a call needs the session of a person. */
export const SESSION_ONLY =
  '// Keys, members and settings are for signed-in people. The SDK calls with an API key.';

/** Returns the path of a page in the shown tenant and environment. */
export const createTenantPath = (path: string, environment?: Environment): string => {
  const here = place.value;
  if (here === null) return '/console/';
  return `/console/t/${here.tenantId}/${environment ?? here.environment}${path}`;
};

/** Tabs. The chosen one is stored in the address. */
export const Tabs = ({
  label,
  tabs,
  current,
}: {
  label: string;
  tabs: readonly (readonly [name: string, title: string, href: string])[];
  current: string;
}): JSX.Element => {
  const nav = useRef<HTMLElement>(null);
  useEffect(() => {
    // On a telephone the chosen tab may be beyond the edge.
    const chosen = nav.current?.querySelector('[aria-current]');
    chosen?.scrollIntoView({ inline: 'nearest', block: 'nearest' });
  }, [current]);
  return (
    <nav ref={nav} class="tabs" aria-label={label}>
      {tabs.map(([name, title, href]) => (
        <a href={href} aria-current={name === current ? 'page' : undefined}>
          {title}
        </a>
      ))}
    </nav>
  );
};

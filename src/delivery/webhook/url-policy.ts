import type { AddressGuard } from './address-guard';
import type { LocalListeners } from './local-listeners';
import { DomainError } from '../../kernel/errors';
import type { Environment } from '../../kernel/scope';
import { HOST_LABEL_MAX, HOST_NAME_MAX, isHostNameTooLong, PLAIN_URL } from '../../kernel/url';

/** Checks whether a destination may have a URL (decisions, "Destination status": URL rules). */
export class UrlPolicy {
  constructor(
    private readonly allowInsecure: boolean,
    private readonly guard: AddressGuard,
    private readonly listeners?: LocalListeners,
  ) {}

  async check(text: string, environment: Environment): Promise<void> {
    const url = parse(text);
    if (environment === 'test' && this.listeners?.admits(text) === true) return;
    if (this.allowInsecure && (url.protocol === 'http:' || url.protocol === 'https:')) return;
    if (url.protocol !== 'https:') {
      // The host is looked up for the hint only, so not in live environments.
      const hint = environment === 'test' ? await this.findHint(url) : '';
      throw new DomainError('url_not_https', `url must start with https://.${hint}`, {
        param: 'url',
      });
    }
    if (await this.guard.allows(url.hostname)) return;
    const hint = environment === 'test' ? LOCAL_HINT : '';
    throw new DomainError(
      'url_not_allowed',
      `url must point to a public address: private and local addresses are not allowed.${hint}`,
      { param: 'url' },
    );
  }

  private async findHint({ hostname }: URL): Promise<string> {
    return (await this.guard.allows(hostname)) ? '' : LOCAL_HINT;
  }
}

/** Listeners of the command line exist in test environments only. */
const LOCAL_HINT =
  ' For a receiver on your own machine run `npm run cli -- listen --forward <its URL>` beside the service: it registers a destination and forwards each webhook.';

/**
 * White space and control characters. A URL parser drops some of them and encodes others (WHATWG
 * URL, "basic URL parser"): the URL that is shown would differ from the one that is called, and in
 * a log it could imitate lines of its own.
 */
const BLANK_OR_CONTROL = /[\s\p{Cc}]/u;

const EMPTY_LABEL = /^\.|\.\./;

const parse = (text: string): URL => {
  if (BLANK_OR_CONTROL.test(text)) {
    throw createUrlError('url must not contain white space or control characters; encode them.');
  }
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !PLAIN_URL.test(text) || url.port === '0' || EMPTY_LABEL.test(url.hostname)) {
    throw createUrlError('url must be an absolute URL without user name, password or fragment.');
  }
  if (isHostNameTooLong(url.hostname)) {
    throw createUrlError(
      `url must have a host name of at most ${HOST_NAME_MAX} characters, and at most ${HOST_LABEL_MAX} between two dots.`,
    );
  }
  return url;
};

const createUrlError = (message: string): DomainError =>
  new DomainError('parameter_invalid', message, { param: 'url' });

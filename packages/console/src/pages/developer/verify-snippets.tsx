import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Code } from '../../ui/basics';

const SNIPPETS = {
  Node: `import { Webhook } from 'standardwebhooks';

// body: the raw bytes of the request, before any JSON parser.
const event = new Webhook(process.env.SIGNING_SECRET).verify(body, headers);`,
  Python: `from standardwebhooks.webhooks import Webhook

# body: request.get_data() in Flask, await request.body() in FastAPI
event = Webhook(os.environ["SIGNING_SECRET"]).verify(body, headers)`,
  Go: `wh, err := standardwebhooks.NewWebhook(os.Getenv("SIGNING_SECRET"))
// body: io.ReadAll(r.Body)
err = wh.Verify(body, r.Header)`,
  PHP: `$webhook = new \\StandardWebhooks\\Webhook(getenv('SIGNING_SECRET'));
// file_get_contents('php://input') has the raw bytes.
$event = $webhook->verify(file_get_contents('php://input'), getallheaders());`,
  Ruby: `webhook = StandardWebhooks::Webhook.new(ENV.fetch('SIGNING_SECRET'))
# request.raw_post in Rails
event = webhook.verify(request.raw_post, request.headers)`,
} as const;

type Language = keyof typeof SNIPPETS;

/** Shows code that verifies a webhook, in the languages of the guide for receivers. */
export const VerifySnippets = (): JSX.Element => {
  const [language, setLanguage] = useState<Language>('Node');
  return (
    <div class="stack">
      <div class="switch" role="group" aria-label="Language">
        {(Object.keys(SNIPPETS) as Language[]).map((name) => (
          <button
            type="button"
            aria-pressed={name === language}
            onClick={() => {
              setLanguage(name);
            }}
          >
            {name}
          </button>
        ))}
      </div>
      <Code label={`Verify in ${language}`} text={SNIPPETS[language]} />
    </div>
  );
};

// An OpenID Connect provider (oidc-provider) in its own process. It prints its address when it
// listens. `PUT /client` sets the redirect address of the client, and `PUT /person` the person who
// signs in next.
import { createServer } from 'node:http';
import { Provider } from 'oidc-provider';

const SCOPE = 'openid email profile';
let person = { sub: 'nobody' };
let redirectUri;
const people = new Map();

const server = createServer((request, response) => {
  handle(request, response).catch((error) => response.writeHead(500).end(String(error)));
});
server.listen(0, '127.0.0.1', () => console.log(issuer()));
const issuer = () => `http://127.0.0.1:${server.address().port}`;

let provider;
const theProvider = () =>
  (provider ??= new Provider(issuer(), {
    clients: [
      {
        client_id: 'console',
        client_secret: 'a secret of the console',
        redirect_uris: [redirectUri],
        response_types: ['code'],
        grant_types: ['authorization_code'],
      },
    ],
    pkce: { required: () => true },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'roles'] },
    features: { devInteractions: { enabled: false } },
    cookies: { keys: ['a key of the test'] },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    findAccount: (_, id) => ({ accountId: id, claims: () => people.get(id) }),
    loadExistingGrant: async (ctx) => {
      const grant = new ctx.oidc.provider.Grant({
        clientId: ctx.oidc.client.clientId,
        accountId: ctx.oidc.session.accountId,
      });
      grant.addOIDCScope(SCOPE);
      await grant.save();
      return grant;
    },
  }));

const handle = async (request, response) => {
  if (request.method === 'PUT') {
    let text = '';
    for await (const chunk of request) text += chunk;
    if (request.url === '/client') redirectUri = JSON.parse(text).redirect_uri;
    else person = JSON.parse(text);
    people.set(person.sub, person);
    response.end();
    return;
  }
  if (request.url.startsWith('/interaction/')) {
    await theProvider().interactionFinished(request, response, {
      login: { accountId: person.sub },
    });
    return;
  }
  theProvider().callback()(request, response);
};

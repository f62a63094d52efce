import { AppModule } from '../../src/wiring/app.module';
import { loadConfig } from '../../src/config/config';
import { type DeclaredRoute } from '../../src/http/pipeline/routes';
import { createServer } from '../../src/http/server';
import { Runtime } from '../../src/config/runtime';

/**
 * Returns every route of the service's router as its modules register them. Nothing is connected or
 * started.
 */
export const listRoutes = async (): Promise<readonly DeclaredRoute[]> => {
  const runtime = new Runtime({
    eventStoreUrl: 'esdb://127.0.0.1:1?tls=false',
    prepareEventStoreClient: () => undefined,
    databaseUrl: 'postgres://postgres@127.0.0.1:1/none',
    databaseConnectionsMax: 1,
    operatorToken: 'nobody-calls-this-server',
    masterKeys: [new Uint8Array(32)],
    saveMasterKeys: null,
    storeMaintenance: null,
    instanceId: 'router',
    isAlone: true,
    isSqlEmbedded: false,
    siblings: null,
  });
  const config = loadConfig({});
  const { app, routes } = await createServer(AppModule.create({ config, runtime }), config, () => ({
    isStarting: () => false,
  }));
  await app.init();
  await app.getHttpAdapter().getInstance().ready();
  return routes.all;
};

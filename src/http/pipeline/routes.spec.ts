import { Controller, type DynamicModule, Get, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { ForMonitoring, ForOperator, Requires, TestOnly } from './audience';
import { type DeclaredRoute, Routes } from './routes';

@Controller('v1/things')
class Undeclared {
  @Get()
  list(): string[] {
    return [];
  }
}

@Controller('v1/things')
@TestOnly()
class TenantThings {
  @Get()
  @Requires('events:read')
  list(): string[] {
    return [];
  }
}

@Controller('operator/v1/things')
@ForOperator()
class OperatorThings {
  @Get()
  list(): string[] {
    return [];
  }

  /** A route that declares another audience than its class. */
  @Get('health')
  @ForMonitoring()
  health(): string[] {
    return [];
  }
}

@Module({})
class Root {}

const routesOf = async (...controllers: (new () => object)[]): Promise<DeclaredRoute[]> => {
  const adapter = new FastifyAdapter();
  const root: DynamicModule = { module: Root, controllers };
  const app = await NestFactory.create<NestFastifyApplication>(root, adapter, {
    logger: false,
    abortOnError: false,
  });
  const routes = new Routes(adapter.getInstance());
  try {
    await app.init();
    await adapter.getInstance().ready();
    return routes.all;
  } finally {
    await app.close();
  }
};

describe('the declared audience of a route', () => {
  it('is required: a controller without one stops the start, and the message names the route', async () => {
    await expect(routesOf(Undeclared)).rejects.toThrow(
      /GET \/v1\/things does not declare its audience/,
    );
  });

  it('can be declared by the class for all its routes, or by the route itself', async () => {
    const routes = await routesOf(OperatorThings, TenantThings);
    const gets = routes.filter(({ method }) => method === 'GET');
    expect(gets.map(({ url, facts }) => [url, facts])).toEqual([
      ['/operator/v1/things', { audience: { kind: 'operator' } }],
      ['/operator/v1/things/health', { audience: { kind: 'monitoring' } }],
      ['/v1/things', { audience: { kind: 'tenant', scopes: ['events:read'] }, testOnly: true }],
    ]);
  });

  it('is the same for HEAD as for GET', async () => {
    const routes = await routesOf(OperatorThings);
    const audiences = (method: string): unknown[] =>
      routes.filter((each) => each.method === method).map(({ facts }) => facts.audience);
    expect(audiences('HEAD')).toHaveLength(2);
    expect(audiences('HEAD')).toEqual(audiences('GET'));
  });
});

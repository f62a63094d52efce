import { TestEnvironment } from 'jest-environment-node';
import { Contracts } from './contract';

/**
 * The contracts of this worker of Jest. They stay here, outside of the suites, because Jest loads every
 * module again for each suite, and a contract takes a second to compile.
 */
const contracts = new Contracts();

/** Jest's environment for Node, with the worker's contracts. */
export default class Environment extends TestEnvironment {
  override async setup(): Promise<void> {
    await super.setup();
    this.global['contracts'] = contracts;
  }
}

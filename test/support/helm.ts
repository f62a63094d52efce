import { stringify } from 'yaml';

type Values = Readonly<Record<string, unknown>>;

/** The values that a template sees at one place. `range` changes them. */
interface TemplateScope {
  /** The value of `.`. */
  readonly dot: unknown;
  readonly variables: Readonly<Record<string, unknown>>;
}

interface Node {
  readonly kind: 'text' | 'value' | 'range' | 'if';
  readonly text: string;
  readonly body: Node[];
  readonly otherwise: Node[];
}

/**
 * Renders the part of Helm's template language that the chart uses: values, `range`, `if`/`else`,
 * and the functions `quote`, `toYaml` and `nindent`. Anything else throws, so the chart cannot use
 * more than the test supports.
 */
export const renderTemplate = (template: string, dot: Values): string =>
  render(parse(template), { dot, variables: { $: dot } });

const parse = (template: string): Node[] => {
  const trimmed = template.replaceAll(/\s*\{\{-/g, '{{').replaceAll(/-\}\}\s*/g, '}}');
  const root: Node = { kind: 'text', text: '', body: [], otherwise: [] };
  const open: { node: Node; into: Node[] }[] = [{ node: root, into: root.body }];
  const getInnermost = (): { node: Node; into: Node[] } => {
    const last = open.at(-1);
    if (last === undefined) throw new Error('a block of the template ends twice');
    return last;
  };
  for (const part of trimmed.split(/(\{\{.*?\}\})/s)) {
    const { into } = getInnermost();
    const [, action] = /^\{\{\s*(.*?)\s*\}\}$/s.exec(part) ?? [];
    if (action === undefined) into.push({ kind: 'text', text: part, body: [], otherwise: [] });
    else if (action === 'end') open.pop();
    else if (action === 'else') {
      const { node } = getInnermost();
      open.pop();
      open.push({ node, into: node.otherwise });
    } else {
      const [, keyword, rest = ''] = /^(range|if) (.*)$/s.exec(action) ?? [];
      const kind = keyword === undefined ? 'value' : (keyword as 'range' | 'if');
      const node: Node = {
        kind,
        text: keyword === undefined ? action : rest,
        body: [],
        otherwise: [],
      };
      into.push(node);
      if (keyword !== undefined) open.push({ node, into: node.body });
    }
  }
  if (open.length !== 1) throw new Error('a block of the template is not closed');
  return root.body;
};

const render = (nodes: readonly Node[], frame: TemplateScope): string =>
  nodes
    .map((node) => {
      switch (node.kind) {
        case 'text':
          return node.text;
        case 'value':
          return String(evaluate(node.text, frame));
        case 'if':
          return render(isTrue(evaluate(node.text, frame)) ? node.body : node.otherwise, frame);
        case 'range':
          return renderRange(node, frame);
      }
    })
    .join('');

const renderRange = (node: Node, frame: TemplateScope): string => {
  const [, key = '', item = '', list = ''] = /^\$(\w+), \$(\w+) := (.+)$/.exec(node.text) ?? [];
  return Object.entries(evaluate(list, frame) as Values)
    .map(([name, value]) =>
      render(node.body, {
        dot: value,
        variables: { ...frame.variables, [`$${key}`]: name, [`$${item}`]: value },
      }),
    )
    .join('');
};

const isTrue = (value: unknown): boolean =>
  value !== false && value !== '' && value !== 0 && value !== undefined && value !== null;

const evaluate = (expression: string, frame: TemplateScope): unknown => {
  const [first = '', ...functions] = expression.split(' | ');
  const value = first.startsWith('toYaml ')
    ? toYaml(lookUp(first.slice('toYaml '.length), frame))
    : lookUp(first, frame);
  return functions.reduce(apply, value);
};

const apply = (value: unknown, call: string): unknown => {
  const [, spaces] = /^nindent (\d+)$/.exec(call) ?? [];
  if (call === 'quote') return JSON.stringify(String(value));
  if (spaces === undefined) throw new Error(`the test does not know the function "${call}"`);
  const indent = ' '.repeat(Number(spaces));
  return `\n${String(value).replaceAll(/^/gm, indent)}`;
};

const toYaml = (value: unknown): string => stringify(value).trimEnd();

const lookUp = (path: string, { dot, variables }: TemplateScope): unknown => {
  const [root = '', ...names] = path.split('.');
  const start = root === '' ? dot : variables[root];
  if (start === undefined) throw new Error(`the template names ${path}, which is not known`);
  return names.reduce<unknown>((value, name) => {
    const found = (value as Values | undefined)?.[name];
    if (found === undefined) throw new Error(`the template names ${path}, which has no value`);
    return found;
  }, start);
};

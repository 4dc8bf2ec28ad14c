// What counts as public in the reports of the modules, and what of it has gone or has become narrower or wider from one report to the next.
import ts from 'typescript';

const HOOKS = ['onModuleInit', 'onApplicationBootstrap', 'onModuleDestroy', 'beforeApplicationShutdown', 'onApplicationShutdown'];
const HOOK_TYPES = HOOKS.map((name) => name[0].toUpperCase() + name.slice(1));
const parse = (text) => ts.createSourceFile('api.d.ts', text, ts.ScriptTarget.Latest, true);
const oneLine = (text) =>
  text
    .replace(/\/\*[^]*?\*\/|\/\/.*$/gm, '')
    .replace(/\s+/g, ' ')
    .trim();
const typesOf = (node, kind) => node.heritageClauses?.find(({ token }) => token === kind)?.types ?? [];
const isError = (node) => typesOf(node, ts.SyntaxKind.ExtendsKeyword).some((type) => /Error$/.test(type.getText()));

/**
 * Declarations without the lifecycle hooks of Nest, and without constructors: Nest, or a function, creates the instances. A caller that throws
 * an error creates it.
 */
export function withoutInternals(text, { constructors }) {
  const cuts = [];
  const visit = (node) => {
    if (ts.isClassDeclaration(node)) {
      const isInternal = (member) =>
        HOOKS.includes(member.name?.getText()) || (constructors && ts.isConstructorDeclaration(member) && !isError(node));
      for (const member of node.members.filter(isInternal)) cuts.push([member.pos, member.end, '']);
      const types = typesOf(node, ts.SyntaxKind.ImplementsKeyword);
      const kept = types.filter((type) => !HOOK_TYPES.includes(type.getText()));
      if (kept.length < types.length) {
        const { pos, end } = types[0].parent;
        cuts.push([pos, end, kept.length > 0 ? ` implements ${kept.map((type) => type.getText()).join(', ')}` : '']);
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(parse(text));
  return cuts.sort(([one], [other]) => other - one).reduce((left, [from, to, by]) => left.slice(0, from) + by + left.slice(to), text);
}

const codeOf = (report) => /^```ts\n([^]*)^```$/m.exec(report)?.[1] ?? '';
/** The alternatives of a type: of an object what it must have, and apart what it may have. */
function unionOf(type) {
  if (!type) return [];
  if (ts.isParenthesizedTypeNode(type)) return unionOf(type.type);
  if (ts.isUnionTypeNode(type)) return type.types.flatMap(unionOf);
  if (!ts.isTypeLiteralNode(type)) return [{ must: oneLine(type.getText()), may: [] }];
  const textsOf = (isOptional) =>
    type.members.filter((each) => Boolean(each.questionToken) === isOptional).map((each) => oneLine(each.getText()).replace(/[;,]$/, ''));
  return [{ must: textsOf(false).join(' '), may: textsOf(true) }];
}

/** The parts of a type by path: a member of an object that is added is none of the others. */
function addType(parts, path, type) {
  if (type && ts.isFunctionTypeNode(type)) return addCall(parts, path, type);
  const isObject = type && ts.isTypeLiteralNode(type);
  parts.set(path, isObject ? {} : { union: unionOf(type) });
  if (isObject) addMembers(parts, path, type.members);
}

function addMembers(parts, path, members) {
  for (const member of members) {
    const name = `${path}.${member.name?.getText() ?? (ts.isConstructorDeclaration(member) ? 'constructor' : oneLine(member.getText()))}`;
    if (ts.isPropertySignature(member) || ts.isPropertyDeclaration(member)) addType(parts, name, member.type);
    else addCall(parts, name, member);
    parts.get(name).isOptional = Boolean(member.questionToken);
    // A part that is abstract has to be written by those who extend the class.
    if (member.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.AbstractKeyword)) parts.get(name).isAbstract = true;
  }
}

/** A signature; a parameter that need not be given may be added at its end. */
function addCall(parts, name, { parameters = [], type, typeParameters = [] }) {
  const takes = parameters.map((each) => ({
    union: unionOf(each.type),
    isOptional: !!(each.questionToken || each.dotDotDotToken),
  }));
  const known = parts.get(name);
  const call = { takes, gives: oneLine(type?.getText() ?? ''), of: typeParameters.map((each) => oneLine(each.getText())).join() };
  parts.set(name, { calls: [...(known?.calls ?? []), call] });
}

/** The parts of all exports, by their names. */
function partsOf(report, options) {
  const parts = new Map();
  const source = parse(withoutInternals(codeOf(report), options));
  const names = new Map(
    source.statements
      .filter(ts.isExportDeclaration)
      .flatMap(({ exportClause }) => (exportClause?.elements ?? []).map((each) => [(each.propertyName ?? each.name).text, each.name.text])),
  );
  for (const name of names.values()) parts.set(name, {});
  for (const node of source.statements) {
    const isExported = node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
    if (ts.isVariableStatement(node) && isExported)
      for (const each of node.declarationList.declarations) addType(parts, each.name.getText(), each.type);
    const name = isExported ? node.name?.getText() : names.get(node.name?.getText());
    if (name === undefined) continue;
    if (ts.isFunctionDeclaration(node)) addCall(parts, name, node);
    else if (ts.isTypeAliasDeclaration(node)) {
      addType(parts, name, node.type);
      parts.get(name).isAlias = true;
    } else if (ts.isClassDeclaration(node) || ts.isInterfaceDeclaration(node)) {
      const heirs = typesOf(node, ts.SyntaxKind.ExtendsKeyword).map((type) => oneLine(type.getText()));
      if (!parts.has(name) || heirs.length > 0) parts.set(name, { union: heirs.map((must) => ({ must, may: [] })) });
      addMembers(parts, name, node.members);
    }
  }
  return parts;
}

const isWithin = (before, after) =>
  before.every(({ must, may }) => after.some((each) => each.must === must && may.every((one) => each.may.includes(one))));

/** Does a call written for the one signature fit the other? */
function fits(old, { takes, gives, of }) {
  if (gives !== old.gives || of !== old.of) return false;
  const takesAsMuch = old.takes.every(({ union }, index) => takes[index] && isWithin(union, takes[index].union));
  return takesAsMuch && takes.every(({ isOptional }, index) => isOptional || old.takes[index]?.isOptional === false);
}

function holds(before, after) {
  if (before.isOptional !== after.isOptional) return false;
  if (before.union) return after.union !== undefined && isWithin(before.union, after.union);
  return !before.calls || before.calls.every((old) => after.calls?.some((call) => fits(old, call)));
}

/** What one report has and the next lacks, narrows or widens, and what authors have to write since. The members of what has gone have gone with it. */
export function breachesOf(before, after, options) {
  const [had, has] = [partsOf(before, options), partsOf(after, options)];
  const gone = [...had.keys()].filter(
    (name) => !has.has(name) && !(name.includes('.') && [...had.keys()].some((each) => name.startsWith(`${each}.`) && !has.has(each))),
  );
  const narrowed = [...had].filter(([name, part]) => has.has(name) && !holds(part, has.get(name)));
  // Who receives such a type may match all of its alternatives; one that is given alone may grow, and its line costs little.
  const musts = ({ union = [] }) => union.map(({ must }) => must);
  const widened = [...has].filter(([name, part]) => {
    const old = had.get(name);
    return part.isAlias && old?.union && holds(old, part) && musts(part).some((must) => !musts(old).includes(must));
  });
  const added = [...has].filter(([name, { isAbstract }]) => isAbstract && !had.get(name)?.isAbstract && had.has(name.split('.')[0]));
  return [
    ...gone.map((name) => ({ name, what: 'was removed' })),
    ...narrowed.map(([name]) => ({ name, what: 'has another type' })),
    ...widened.map(([name]) => ({ name, what: 'has more alternatives' })),
    ...added.map(([name]) => ({ name, what: 'has to be written by those who extend it' })),
  ];
}

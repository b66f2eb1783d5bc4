import ts from 'typescript'

/**
 * One string that a person reads. `kind` says where: on a page, in a label, in an error, in the
 * log.
 */
export type UserString = { line: number; kind: string; text: string }

/** JSX attributes that the browser or a style sheet reads. */
const technicalAttributes = new Set(
  `accept action as autoComplete class className color cx cy d data-testid dateTime enctype fill
  form formAction height href htmlFor icon id inputMode key lang method name path pattern points
  preserveAspectRatio property rel role scope size sizes src srcSet stroke style target to tone
  transform type value variant viewBox width x xmlns y`.split(/\s+/),
)

/** Elements that continue the sentence around them. */
const inlineTags = new Set(
  'a abbr b bdi code em i kbd Link mark NavLink small span strong sub sup time'.split(' '),
)

const collapse = (text: string): string => text.replace(/\s+/g, ' ')

type Text = ts.StringLiteralLike | ts.TemplateExpression

const isText = (node: ts.Node): node is Text => ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)

/** `{order.number}` for a short expression, `{on|off}` for a choice of two texts, else `{…}`. */
function placeholderOf(expression: ts.Expression, used: Set<ts.Node>): string {
  if (ts.isConditionalExpression(expression) && isText(expression.whenTrue) && isText(expression.whenFalse)) {
    return `{${textOf(expression.whenTrue, used)}|${textOf(expression.whenFalse, used)}}`
  }
  const source = collapse(expression.getText())
  return source.length <= 40 && !/['"`<]/.test(source) ? `{${source}}` : '{…}'
}

/** The text with its placeholders. Adds every string that it shows to `used`. */
function textOf(node: Text, used: Set<ts.Node>): string {
  used.add(node)
  if (!ts.isTemplateExpression(node)) return node.text
  const spans = node.templateSpans.map((span) => placeholderOf(span.expression, used) + span.literal.text)
  return node.head.text + spans.join('')
}

const tagOf = (node: ts.JsxElement | ts.JsxSelfClosingElement): string =>
  (ts.isJsxElement(node) ? node.openingElement : node).tagName.getText()

const isSpoken = (child: ts.JsxChild): boolean => ts.isJsxText(child) && /\p{L}/u.test(child.text)

/** The text of an element as one sentence. Adds every node that it shows to `used`. */
function flatten(children: readonly ts.JsxChild[], used: Set<ts.Node>): string {
  return children
    .map((child) => {
      if (ts.isJsxText(child)) {
        used.add(child)
        return child.text
      }
      if (ts.isJsxExpression(child)) {
        const { expression } = child
        if (!expression) return ''
        return isText(expression) ? textOf(expression, used) : placeholderOf(expression, used)
      }
      if (ts.isJsxElement(child) && inlineTags.has(tagOf(child))) return flatten(child.children, used)
      return ts.isJsxFragment(child) ? flatten(child.children, used) : `<${tagOf(child)}>`
    })
    .join('')
}

/**
 * Lower-case words such as `out of stock` or `{count} days ago`, and no class names or selectors.
 */
const isPhrase = (text: string): boolean =>
  /\s/.test(text) &&
  /^(?:[a-z’]+(?:-[a-z]+)?|\d+|[A-Z]+|\{[^}]*\})[,;:.]?$/.test(text.split(' ')[0] ?? '') &&
  text
    .split(' ')
    .every((word) => /^\(?(?:[\p{L}’]+(?:[-/’][\p{L}]+)*|\d+|\{.*|.*\})\)?[,;:.?!…]?$/u.test(word)) &&
  !/\b(?:btn|flex|grid|font-\w+|text-\w+|bg-\w+|border)\b| as |^(?:is not|not in|is not distinct from)$/.test(
    text,
  )

/** Whether a string without a known reader looks like a sentence or a label. */
function isProse(text: string): boolean {
  if (!/\p{L}{2}/u.test(text) || /^(?:https?:|\/|\.|#|--|<|data:)/.test(text)) return false
  if (/^(?:select|insert|update|delete|create|alter|drop|with|pragma|begin|analyze|vacuum)\s/.test(text)) {
    return /[.?!…]$/.test(text)
  }
  if (!/\s/.test(text)) return /^\p{Lu}\p{Ll}+[.?!…:]?$/u.test(text)
  return /^[\p{Lu}“]/u.test(text) || /[.?!…:]$|’/.test(text) || isPhrase(text)
}

/** Steps over what only chooses or joins strings: conditions, `??`, `+`, lists, parentheses. */
function outerOf(node: ts.Node): ts.Node {
  let outer = node
  while (
    ts.isConditionalExpression(outer.parent) ||
    ts.isParenthesizedExpression(outer.parent) ||
    ts.isArrayLiteralExpression(outer.parent) ||
    ts.isAsExpression(outer.parent) ||
    ts.isSatisfiesExpression(outer.parent) ||
    ts.isTemplateSpan(outer.parent) ||
    ts.isTemplateExpression(outer.parent) ||
    (ts.isBinaryExpression(outer.parent) &&
      /^(?:\?\?|\|\||&&|\+)$/.test(outer.parent.operatorToken.getText()))
  ) {
    outer = outer.parent
  }
  return outer
}

const zodMethods =
  /\b(?:check|email|enum|int|length|literal|max|min|nonnegative|positive|refine|regex|string|superRefine|number|boolean)$/

/** Who reads a string, or null when only a machine does. */
function kindOf(node: Text, text: string): string | null {
  const outer = outerOf(node)
  const { parent } = outer
  if (
    ts.isImportDeclaration(parent) ||
    ts.isExportDeclaration(parent) ||
    ts.isLiteralTypeNode(parent) ||
    ts.isTaggedTemplateExpression(parent) ||
    ts.isElementAccessExpression(parent) ||
    ts.isCaseClause(parent) ||
    ts.isBinaryExpression(parent) ||
    ((ts.isPropertyAssignment(parent) || ts.isPropertySignature(parent)) && parent.name === outer)
  ) {
    return null
  }

  const attribute = ts.isJsxExpression(parent) ? parent.parent : parent
  if (ts.isJsxAttribute(attribute)) {
    const name = attribute.name.getText()
    if (
      name === 'aria-label' ||
      name === 'title' ||
      name === 'placeholder' ||
      name === 'alt' ||
      name === 'label'
    ) {
      return name
    }
    const isTechnical = technicalAttributes.has(name) || /^(?:aria|data)-|Class(?:Name)?$/.test(name)
    return isProse(text) && (!isTechnical || (name === 'name' && /\s/.test(text))) ? name : null
  }
  if (ts.isJsxExpression(parent)) return 'text'

  if (ts.isNewExpression(parent)) {
    const name = parent.expression.getText()
    if (name === 'AppError') return parent.arguments?.[0] === outer ? null : 'AppError'
    return /(?:Error|Exception|Refused)$/.test(name) ? name : null
  }
  if (ts.isCallExpression(parent)) {
    const callee = parent.expression.getText()
    if (/\blog\.(?:debug|info|warn|error)$/.test(callee)) return 'log'
    if (/^(?:console\.|process\.std(?:out|err)\.write$)/.test(callee)) return 'command line'
    if (callee.startsWith('toast') || callee.endsWith('Toast')) return isProse(text) ? 'toast' : null
    if (zodMethods.test(callee)) return /\s/.test(text) && !/^[a-z]+$/.test(text) ? 'validation' : null
  }
  if (ts.isPropertyAssignment(parent)) {
    const name = parent.name.getText().replaceAll(/['"]/g, '')
    if (name === 'error' || name === 'message') return 'validation'
    // A name such as Orders is a label; other technical values of one word are not.
    const isLabel = name === 'name' || /\s/.test(text)
    if (technicalAttributes.has(name)) return isLabel && isProse(text) ? name : null
    return isProse(text) ? name : null
  }
  if (ts.isVariableDeclaration(parent)) return isProse(text) ? parent.name.getText() : null
  return isProse(text) ? 'string' : null
}

/**
 * Every string in a TypeScript file that a person reads: page text, labels, errors, mails, log
 * lines.
 */
export function userStrings(path: string, source: string): UserString[] {
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true)
  const found: UserString[] = []
  const used = new Set<ts.Node>()
  const add = (node: ts.Node, kind: string, raw: string): void => {
    const text = collapse(raw).trim()
    const line = file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1
    if (/\p{L}/u.test(text)) found.push({ line, kind, text })
  }

  const visit = (node: ts.Node): void => {
    if ((ts.isJsxElement(node) || ts.isJsxFragment(node)) && node.children.some(isSpoken)) {
      if (!node.children.some((child) => used.has(child))) add(node, 'text', flatten(node.children, used))
    } else if (isText(node) && !used.has(node)) {
      const text = textOf(node, used)
      const kind = kindOf(node, text)
      if (kind !== null) add(node, kind, text)
    }
    ts.forEachChild(node, visit)
  }
  visit(file)
  return found
}

import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { parseAllDocuments } from 'yaml'
import { z } from 'zod'

/** The Kubernetes that the types are from, which is the oldest that the manifests are for. */
export const { version: kubernetesVersion } = z
  .object({ version: z.string() })
  .parse(
    JSON.parse(readFileSync(fileURLToPath(import.meta.resolve('kubernetes-types/package.json')), 'utf8')),
  )

const manifestSchema = z.looseObject({
  apiVersion: z.string(),
  kind: z.string().regex(/^[A-Z]\w+$/),
  metadata: z.looseObject({ name: z.string() }),
})

/** The module of kubernetes-types that has the kinds of this `apiVersion`. */
function moduleOf(apiVersion: string): string {
  const parts = apiVersion.split('/')
  const [group, version] = parts.length === 1 ? ['core', parts[0]] : parts
  return `kubernetes-types/${group?.split('.')[0] ?? ''}/${version ?? ''}`
}

/**
 * What Kubernetes refuses in manifests: unknown kinds and fields, missing fields and wrong types.
 * kubernetes-types has Kubernetes' OpenAPI document as TypeScript, so each manifest becomes an
 * object literal of its type, in which the compiler accepts no other field.
 */
export function manifestFaults(path: string, text: string): string[] {
  const documents = parseAllDocuments(text)
  const unreadable = documents.flatMap(({ errors, warnings }) => [...errors, ...warnings])
  if (unreadable.length > 0) return unreadable.map(({ message }) => `${path}: ${message}`)
  // Kubernetes ignores an empty document, such as the one after a last `---`.
  const manifests = documents
    .map((document): unknown => document.toJS())
    .filter((manifest) => manifest !== null)
    .map((manifest) => manifestSchema.safeParse(manifest))
  if (manifests.length === 0) return [`${path}: it has no manifest.`]
  const headless = manifests.filter(({ success }) => !success)
  if (headless.length > 0) return [`${path}: a document has no apiVersion, kind or metadata.name.`]
  const lines = manifests.flatMap(({ data }, index) =>
    data
      ? [
          `import type { ${data.kind} as T${index} } from '${moduleOf(data.apiVersion)}'`,
          `export const ${data.kind}_${index}: T${index} = ${JSON.stringify(data)}`,
        ]
      : [],
  )
  return compile(lines.join('\n')).map((fault) => `${path}: ${fault}`)
}

const options: ts.CompilerOptions = {
  lib: ['lib.es2022.d.ts'],
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  noEmit: true,
  skipLibCheck: true,
  strict: true,
  target: ts.ScriptTarget.ES2022,
  types: [],
}
const parsed = new Map<string, ts.SourceFile>()

/** Type errors of a module, as if it were a file of this folder. */
function compile(text: string): string[] {
  const name = `${import.meta.dirname}/manifests.generated.ts`
  const host = ts.createCompilerHost(options)
  const source = ts.createSourceFile(name, text, ts.ScriptTarget.ES2022, true)
  const readFile = host.getSourceFile.bind(host)
  host.fileExists = (path) => path === name || ts.sys.fileExists(path)
  host.getSourceFile = (path, ...rest) => {
    const file = path === name ? source : (parsed.get(path) ?? readFile(path, ...rest))
    if (file && path !== name) parsed.set(path, file)
    return file
  }
  const program = ts.createProgram([name], options, host)
  return ts
    .getPreEmitDiagnostics(program)
    .map(({ start = 0, messageText }) =>
      [...fieldAt(source, start), ts.flattenDiagnosticMessageText(messageText, ' ')].join(': '),
    )
}

/** The field at a position, such as `Deployment_0.spec.template`, if it is in one. */
function fieldAt(source: ts.SourceFile, position: number): string[] {
  const inside = (node: ts.Node): string[] => {
    const child = ts.forEachChild(node, (each) =>
      each.getStart() <= position && position < each.end ? each : undefined,
    )
    const named = ts.isPropertyAssignment(node) || ts.isVariableDeclaration(node)
    const name = named ? [node.name.getText().replaceAll('"', '')] : []
    return child ? [...name, ...inside(child)] : name
  }
  const names = inside(source)
  return names.length > 0 ? [names.join('.')] : []
}

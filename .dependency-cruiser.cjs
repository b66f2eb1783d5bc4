/** The direction of imports: domain <- db <- server <- app. */
const outsideDomain = '^server/(?!domain/)'
const production = '^(app|server|db|migrations)/'

/** The parts of app that may import the server: routes, HTTP plumbing and the server's own entry points. */
const serverSide =
  '^app/(routes/|http/middleware/|(http|render)/[^/]+\\.server\\.tsx?$|routes\\.ts$|root\\.tsx$|server\\.ts$|app\\.ts$|entry\\.server\\.tsx$)'

/** SDKs of outside services; each hides behind a port of server/integrations. */
const vendors = '(stripe|uploadthing|@uploadthing/|nodemailer|@react-email/|openid-client|@aws-sdk/)'

/** The one part of the server that is written in React. */
const mailTemplates = '^server/integrations/mail/templates/'

module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'resolvable',
      comment: 'An import that leads nowhere.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: '^(virtual:|\\./\\+types/|\\.\\./.*/\\+types/)' },
    },
    {
      name: 'domain-is-pure',
      comment: 'server/domain runs in the browser too: it knows itself and zod.',
      severity: 'error',
      from: { path: '^server/domain/' },
      to: { pathNot: '^server/domain/|(^|/)node_modules/zod/' },
    },
    {
      name: 'db-knows-domain-only',
      severity: 'error',
      from: { path: '^db/' },
      to: { path: `^app/|${outsideDomain}` },
    },
    {
      name: 'server-knows-no-page',
      severity: 'error',
      from: { path: '^server/', pathNot: mailTemplates },
      to: {
        path: '^app/|(^|/)node_modules/(react|react-dom|react-router|@react-router|hono|@hono)/',
      },
    },
    {
      name: 'mails-are-no-pages',
      comment: 'A mail is written in React and knows nothing of the shop’s pages (docs/decisions/0014).',
      severity: 'error',
      from: { path: mailTemplates },
      to: { path: '^app/|(^|/)node_modules/(react-router|@react-router|hono|@hono)/' },
    },
    {
      name: 'mails-are-rendered-late',
      comment: 'A start needs no mail: their renderer is imported with the first one.',
      severity: 'error',
      from: { path: '^(app|server)/', pathNot: mailTemplates },
      to: { path: mailTemplates, dependencyTypesNot: ['type-only', 'dynamic-import'] },
    },
    {
      name: 'migrations-stand-alone',
      comment: 'A migration must mean the same in five years: it imports kysely, never today’s schema.',
      severity: 'error',
      from: { path: '^migrations/', pathNot: '^migrations/all\\.ts$' },
      to: { pathNot: '(^|/)node_modules/kysely/' },
    },
    {
      name: 'pages-ask-the-server',
      comment: 'In app only routes, middleware and *.server files of http and render know the server.',
      severity: 'error',
      from: { path: '^app/', pathNot: serverSide },
      to: { path: outsideDomain, dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'pages-do-not-query',
      comment: 'SQL is reached through a use case of server/; the start of the process opens the database.',
      severity: 'error',
      from: { path: '^app/', pathNot: '^app/(server|app)\\.ts$' },
      to: { path: '^(db|migrations)/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'components-are-light',
      comment: 'Components and ui know domain and types; zod would cost the shop 15 kB.',
      severity: 'error',
      from: { path: '^app/(components|ui)/' },
      to: { path: `^(db|migrations|app/routes|app/http/middleware)/|${outsideDomain}|(^|/)node_modules/zod/` },
    },
    {
      name: 'ui-knows-no-medicine',
      severity: 'error',
      from: { path: '^app/ui/' },
      to: { path: '^(app/(?!ui/|render/Link\\.tsx$)|server/)' },
    },
    {
      name: 'areas-seal-their-own-data',
      comment: 'Only server/crypto and an area itself import its sealing helpers; other areas use its reader.',
      severity: 'error',
      from: { path: '^server/([^/]+)/' },
      to: { path: '^server/[^/]+/sealed-', pathNot: '^server/(crypto|$1)/' },
    },
    {
      name: 'only-server-seals',
      severity: 'error',
      from: { path: '^(app|db|migrations)/' },
      to: { path: '^server/[^/]+/sealed-' },
    },
    {
      name: 'areas-import-one-way',
      comment: 'Two areas of server/ that import each other are one area, or share a third.',
      severity: 'error',
      scope: 'folder',
      from: { path: '^server/[^/]+$', pathNot: '^server/domain' },
      to: { circular: true, path: '^server/[^/]+$' },
    },
    {
      name: 'driver-internals-stay-in-db-engine',
      severity: 'error',
      from: { path: production, pathNot: '^db/engine/' },
      to: { path: '(^|/)node_modules/(pg|better-sqlite3)/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'vendors-behind-ports',
      severity: 'error',
      from: { pathNot: '^server/integrations/' },
      to: { path: `(^|/)node_modules/${vendors}` },
    },
    {
      name: 'production-knows-no-tests',
      severity: 'error',
      from: { path: production },
      to: { path: '^(tests|scripts)/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'production-runs-without-dev-packages',
      severity: 'error',
      from: { path: production },
      to: {
        dependencyTypes: ['npm-dev'],
        dependencyTypesNot: ['type-only'],
        // The route table is read by the build.
        pathNot: '(^|/)node_modules/(@types/|@react-router/dev/)',
      },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(build|\\.react-router|data)/' },
    tsPreCompilationDeps: 'specify',
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.cjs', '.json'],
    },
    skipAnalysisNotInRules: true,
  },
}

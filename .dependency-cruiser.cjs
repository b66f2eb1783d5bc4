/** The direction of imports: domain <- db <- server <- app. */
const outsideDomain = '^server/(?!domain/)'
const production = '^(app|server|db|migrations)/'

/** The parts of app that may import the server: routes, HTTP plumbing and the server's own entry points. */
const serverSide =
  '^app/(routes/|http/middleware/|(http/|render/)?[^/]+\\.server\\.tsx?$|routes\\.ts$|root\\.tsx$|server\\.ts$|app\\.ts$)'

/** SDKs of external services, each behind an adapter in server/integrations. */
const vendors = '(stripe|uploadthing|@uploadthing/|nodemailer|@react-email/|openid-client|@aws-sdk/)'

/** The only React code in the server. */
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
      comment: 'An import that does not resolve.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: '^(virtual:|\\./\\+types/|\\.\\./.*/\\+types/)' },
    },
    {
      name: 'domain-is-pure',
      comment: 'server/domain also runs in the browser. It imports only itself and zod.',
      severity: 'error',
      from: { path: '^server/domain/' },
      to: { pathNot: '^server/domain/|(^|/)node_modules/zod/' },
    },
    {
      name: 'db-imports-only-domain',
      severity: 'error',
      from: { path: '^db/' },
      to: { path: `^app/|${outsideDomain}` },
    },
    {
      name: 'server-imports-no-app',
      severity: 'error',
      from: { path: '^server/', pathNot: mailTemplates },
      to: {
        path: '^app/|(^|/)node_modules/(react|react-dom|react-router|@react-router|hono|@hono)/',
      },
    },
    {
      name: 'mail-templates-import-no-pages',
      comment: 'Email templates are React, but independent of pages (docs/decisions/0014).',
      severity: 'error',
      from: { path: mailTemplates },
      to: { path: '^app/|(^|/)node_modules/(react-router|@react-router|hono|@hono)/' },
    },
    {
      name: 'mail-templates-load-lazily',
      comment: 'Startup sends no email, so the renderer loads with the first one.',
      severity: 'error',
      from: { path: '^(app|server)/', pathNot: mailTemplates },
      to: { path: mailTemplates, dependencyTypesNot: ['type-only', 'dynamic-import'] },
    },
    {
      name: 'migrations-import-only-kysely',
      comment:
        'A migration must mean the same in five years, so it imports kysely and never the current schema.',
      severity: 'error',
      from: { path: '^migrations/', pathNot: '^migrations/all\\.ts$' },
      to: { pathNot: '(^|/)node_modules/kysely/' },
    },
    {
      name: 'only-server-files-import-server',
      comment: 'In app, only routes, middleware and *.server files import the server.',
      severity: 'error',
      from: { path: '^app/', pathNot: serverSide },
      to: { path: outsideDomain, dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'app-runs-no-sql',
      comment: 'Pages reach SQL through use cases. Only startup opens the database.',
      severity: 'error',
      from: {
        path: '^app/',
        pathNot: '^app/(server|app|(create-metrics|open-shop|prepare-shop)\\.server)\\.ts$',
      },
      to: { path: '^(db|migrations)/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'components-stay-light',
      comment: 'Components and ui import the domain and types. zod would add 15 kB.',
      severity: 'error',
      from: { path: '^app/(components|ui)/' },
      to: {
        path: `^(db|migrations|app/routes|app/http/middleware)/|${outsideDomain}|(^|/)node_modules/zod/`,
      },
    },
    {
      name: 'ui-is-domain-free',
      comment: 'Except for how far a grid counts: the server stops there, and the pager says so.',
      severity: 'error',
      from: { path: '^app/ui/' },
      to: { path: '^(app/(?!ui/|render/Link\\.tsx$)|server/(?!domain/grid-total\\.ts$))' },
    },
    {
      name: 'areas-seal-their-own-data',
      comment:
        'Only server/crypto and an area itself import its sealing helpers; other areas use its reader.',
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
      name: 'vendors-behind-adapters',
      severity: 'error',
      // tests/mocks/s3.ts creates buckets, which the shop never does.
      from: { pathNot: '^(server/integrations/|tests/mocks/s3\\.ts$)' },
      to: { path: `(^|/)node_modules/${vendors}` },
    },
    {
      name: 'production-imports-no-tests',
      severity: 'error',
      from: { path: production },
      to: { path: '^(tests|scripts)/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'production-imports-no-dev-packages',
      severity: 'error',
      from: { path: production },
      to: {
        dependencyTypes: ['npm-dev'],
        dependencyTypesNot: ['type-only'],
        // The build reads the route table.
        pathNot: '(^|/)node_modules/(@types/|@react-router/dev/)',
      },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(build|\\.react-router|data)/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.cjs', '.json'],
    },
    skipAnalysisNotInRules: true,
  },
}

import { reactRouter } from '@react-router/dev/vite'
import tailwindcss from '@tailwindcss/vite'
import { readFile, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { defineConfig, type Plugin } from 'vite'

/**
 * Fails the build when the client bundle contains server code: db/, or server/ except its domain.
 */
function refuseServerCodeInBrowser(): Plugin {
  return {
    name: 'refuse-server-code-in-browser',
    applyToEnvironment: (environment) => environment.name === 'client',
    generateBundle(_, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== 'chunk') continue
        for (const [id, module] of Object.entries(chunk.modules)) {
          const path = relative(import.meta.dirname, id)
          if (module.renderedLength > 0 && /^(db\/|migrations\/|server\/(?!domain\/))/.test(path)) {
            this.error(`${path} would reach the browser in ${chunk.fileName}.`)
          }
        }
      }
    },
  }
}

/**
 * Replaces Vite's dynamic-import helper with a plain import. The helper resolves style sheets and
 * preloads; we have one style sheet, and it would add 0.7 kB to every page.
 */
function importPlainly(): Plugin {
  return {
    name: 'import-plainly',
    applyToEnvironment: (environment) => environment.name === 'client',
    transform: {
      filter: { id: /vite\/preload-helper/ },
      handler: () => 'export const __vitePreload = (load) => load()',
    },
  }
}

/**
 * Escapes every character beyond ASCII in the server's scripts. V8 keeps a script as two bytes a
 * character if it has one beyond Latin-1, and the shop's texts have curly quotes.
 */
function escapeServerScripts(): Plugin {
  const escape = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  return {
    name: 'escape-server-scripts',
    applyToEnvironment: (environment) => environment.name === 'ssr',
    generateBundle(_, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type === 'chunk') chunk.code = chunk.code.replaceAll(/[^\0-\x7f]/g, escape)
      }
    },
  }
}

/** Writes compressed copies of all text files of the client build. */
function precompress(): Plugin {
  return {
    name: 'precompress',
    applyToEnvironment: (environment) => environment.name === 'client',
    async writeBundle({ dir = '' }, bundle) {
      const texts = Object.keys(bundle).filter((name) => /\.(js|css|svg)$/.test(name))
      await Promise.all(
        texts.map(async (name) => {
          const text = await readFile(join(dir, name))
          await writeFile(join(dir, `${name}.br`), brotliCompressSync(text))
          await writeFile(join(dir, `${name}.gz`), gzipSync(text, { level: 9 }))
        }),
      )
    },
  }
}

const routerBuild = join(import.meta.dirname, 'node_modules/react-router/dist/production')

/** React Router's package names only its build with warnings for development. */
const withoutWarnings = [
  { find: /^react-router$/, replacement: join(routerBuild, 'index.mjs') },
  { find: /^react-router\/dom$/, replacement: join(routerBuild, 'dom-export.mjs') },
]

export default defineConfig(({ command }) => ({
  ...(command === 'build' && { resolve: { alias: withoutWarnings } }),
  plugins: [
    tailwindcss(),
    reactRouter(),
    refuseServerCodeInBrowser(),
    importPlainly(),
    escapeServerScripts(),
    precompress(),
  ],
  build: { target: 'es2022', assetsInlineLimit: 0, modulePreload: false },
  define: { __BUILD_ID__: JSON.stringify(Date.now().toString(36)) },
  // Otherwise the first page in development loads twice.
  optimizeDeps: { entries: ['app/entry.client.tsx', 'app/root.tsx', 'app/routes/**/*.tsx'] },
  environments: {
    client: {
      build: {
        rolldownOptions: {
          output: {
            // On a phone, each request waits for a connection, so shared components go into one
            // file.
            codeSplitting: {
              groups: [
                { name: 'react', test: /node_modules\/(react|react-dom|react-router|scheduler)\// },
                // What the root, and so every page, uses.
                {
                  name: 'shop',
                  test: /\/app\/(components\/(AccountMenu|ErrorPages|Logo|RouteError|SearchBox|Site\w+|StayOffline|ThemeSwitch|UnavailableNotice|frame|theme|use-cart-\w+)|render\/[\w-]+|ui\/(Button|Combobox|Toasts|icons|toasts|use-\w+))\.|\/server\/domain\/(build-path|money|paths)\./,
                },
                // Of the home page and the lists.
                {
                  name: 'cards',
                  test: /\/app\/(components\/(Price|ProductBadges|ProductCard)|ui\/Badge)\./,
                },
                // What else pages share; the home page needs none of it. Excludes code that only
                // forms use (the product page has none) and code that only the back office uses.
                {
                  name: 'parts',
                  test: /\/app\/(components\/(?!SignInAgain|dispensing\/|messages\/|orders\/)|ui\/(?!data-grid\/|admin-icons|PostForm|PrintButton|top-layer)|http\/(?!trpc|call-prompts|revalidate-after-conflict|sidebar-cookie)|render\/)/,
                  minShareCount: 3,
                },
                { name: 'forms', test: /\/app\/(components\/(PatientField|SignInAgain)|ui\/PostForm)\./ },
                {
                  name: 'admin-frame',
                  test: /\/(app\/(routes\/admin\/frame\/(?!use-request-key)|http\/trpc|ui\/(admin-icons|data-grid\/(density|shortcuts|undo)))|domain\/admin-paths)/,
                  minShareCount: 3,
                },
                { name: 'grid', test: /\/app\/ui\/data-grid\//, minShareCount: 3 },
                // Shared by three order pages and not used by the storefront.
                { name: 'orders', test: /\/app\/components\/orders\// },
              ],
            },
          },
        },
      },
    },
    ssr: {
      build: {
        target: 'node20',
        // oxlint-disable-next-line typescript/no-deprecated -- React Router's plugin reads it.
        rollupOptions: {
          input: './app/server.ts',
          // The email renderer imports React lazily, while pages load it at once. Without this
          // group, the entry would move into the assets folder, and paths relative to it would
          // break.
          output: {
            codeSplitting: {
              groups: [{ name: 'react', test: /node_modules\/(react|react-dom|scheduler)\// }],
            },
          },
        },
      },
      // Bundled libraries use their production builds whatever NODE_ENV says, and start faster.
      // Native modules and modules that read their own files stay external.
      ...(command === 'build' && {
        define: { 'process.env.NODE_ENV': '"production"' },
        // The email renderer can format its HTML with Prettier, which we do not use.
        resolve: {
          noExternal: true,
          external: ['better-sqlite3', 'better-sqlite3-napi', 'pg', 'pino', '@node-rs/argon2', 'prettier'],
        },
      }),
    },
  },
}))

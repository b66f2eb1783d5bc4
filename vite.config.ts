import { reactRouter } from '@react-router/dev/vite'
import tailwindcss from '@tailwindcss/vite'
import { readFile, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { defineConfig, type Plugin } from 'vite'

/** Fails the build when the browser's bundle would hold server code: anything of db/, or of server/ but its domain. */
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
 * A late module is fetched when it is imported, as the browser does it. Vite's own helper looks up its styles and
 * preloads: we have one style sheet, and it would be 0.7 kB of every page.
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

/** Writes each text file of the browser's a second time, compressed as well as it goes, for the server to pick. */
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

export default defineConfig(({ command }) => ({
  plugins: [tailwindcss(), reactRouter(), refuseServerCodeInBrowser(), importPlainly(), precompress()],
  build: { target: 'es2022', assetsInlineLimit: 0, modulePreload: false },
  define: { __BUILD_ID__: JSON.stringify(Date.now().toString(36)) },
  // Known beforehand, or the first page that is opened while developing loads twice.
  optimizeDeps: { entries: ['app/entry.client.tsx', 'app/root.tsx', 'app/routes/**/*.tsx'] },
  environments: {
    client: {
      build: {
        rolldownOptions: {
          output: {
            // Each request of a phone waits for a free connection: one file of what pages share, not one a component.
            codeSplitting: {
              groups: [
                { name: 'react', test: /node_modules\/(react|react-dom|react-router|scheduler)\// },
                // What the back office alone uses stays out: the shop loads none of it.
                {
                  name: 'shop',
                  test: /\/app\/(components\/(?!orders\/)|ui\/(?!data-grid\/|admin-icons)|http\/(?!trpc|sidebar-cookie)|render\/)/,
                  minShareCount: 3,
                },
                // The root's, which the back office's frame shows, too: every page loads them.
                {
                  name: 'shop',
                  test: /\/app\/(components\/(AccountMenu|Logo|ThemeSwitch|theme)|ui\/Toasts)\./,
                },
                // Three pages share these, and no page of the shop.
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
        // oxlint-disable-next-line typescript/no-deprecated -- React Router's plugin reads this name.
        rollupOptions: {
          input: './app/server.ts',
          // The renderer of mails imports React's late, which pages have from the start: in one file with the entry, it
          // would move the entry into the assets and leave there what names it by its place.
          output: {
            codeSplitting: {
              groups: [{ name: 'react', test: /node_modules\/(react|react-dom|scheduler)\// }],
            },
          },
        },
      },
      // Built into the server, libraries are their production builds whatever NODE_ENV says, and start sooner.
      // What is native or reads files of its own stays outside.
      ...(command === 'build' && {
        define: { 'process.env.NODE_ENV': '"production"' },
        // Prettier is what the renderer of mails would make its HTML pretty by, which nobody asks for.
        resolve: {
          noExternal: true,
          external: ['better-sqlite3', 'pg', 'pino', '@node-rs/argon2', 'prettier'],
        },
      }),
    },
  },
}))

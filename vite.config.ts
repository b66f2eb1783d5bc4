import { reactRouter } from '@react-router/dev/vite'
import tailwindcss from '@tailwindcss/vite'
import { relative } from 'node:path'
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

export default defineConfig({
  plugins: [tailwindcss(), reactRouter(), refuseServerCodeInBrowser()],
  build: { target: 'es2022', assetsInlineLimit: 0 },
  environments: {
    ssr: { build: { rollupOptions: { input: './app/server.ts' }, target: 'node20' } },
  },
})

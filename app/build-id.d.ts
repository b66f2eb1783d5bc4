/** Made anew by each build (vite.config.ts): tells what one build rendered from what another did. */
declare const __BUILD_ID__: string

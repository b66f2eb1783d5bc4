/** Differs for each build (vite.config.ts), so that pages of two builds are distinguishable. */
declare const __BUILD_ID__: string

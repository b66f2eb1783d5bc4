/** Whether this is `npm run test:nightly`, which repeats what `npm test` tries a few times. */
export const isNightly = process.env['TEST_NIGHTLY'] === '1'

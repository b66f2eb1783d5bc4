/** Whether this is `npm run test:nightly`, which runs more trials than `npm test`. */
export const isNightly = process.env['TEST_NIGHTLY'] === '1'

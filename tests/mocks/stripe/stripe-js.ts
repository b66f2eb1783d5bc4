/**
 * Mocks https://js.stripe.com, which no test loads: the part of Stripe.js that the checkout page
 * uses, in its documented shape (https://docs.stripe.com/js). Its only field takes a card number;
 * the test decides the result with the page function `confirmAtStripe`. Not covered: the real
 * script's appearance and bank verifications.
 */
export const stripeJs = `
window.Stripe = Object.assign(
  () => {
    const handlers = {}
    const field = document.createElement('input')
    field.setAttribute('aria-label', 'Card number at Stripe')
    const element = {
      on: (name, handle) => ((handlers[name] = handle), element),
      off: () => element,
      mount: (place) => {
        place.append(field)
        setTimeout(() => handlers.ready?.({ elementType: 'payment' }))
      },
      update() {},
      unmount() {},
      destroy() {},
    }
    const elements = {
      create: () => element,
      getElement: () => element,
      update() {},
      submit: async () =>
        field.value === '' ? { error: { type: 'validation_error', message: 'Your card number is incomplete.' } } : {},
    }
    const unused = () => { throw new Error('not simulated') }
    return {
      elements: (options) => ((window.stripeOptions = options), elements),
      confirmPayment: ({ clientSecret }) => window.confirmAtStripe(clientSecret, field.value, window.stripeOptions),
      createToken: unused,
      createPaymentMethod: unused,
      confirmCardPayment: unused,
      _registerWrapper() {},
      registerAppInfo() {},
    }
  },
  { version: 'endive' },
)
`

/** What somebody is told who leaves out what a product or a variant needs (specification, section 5). */

export const missingProductFields = 'Please fill in all required product fields (name, image)'
export const missingVariantFields = 'Please fill in all required variant fields'
export const selectProduct = 'Please select a product'

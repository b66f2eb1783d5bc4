// Written by npm run api:types.
export interface paths {
    "/api/products": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List products
         * @description For everyone. Accepts an API key.
         */
        get: {
            parameters: {
                query?: {
                    limit?: number;
                    after?: string;
                    include?: "variants";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        /** @description The version of the reply, for If-None-Match. */
                        ETag?: string;
                        /** @description The next page, with rel "next". Of a whole list: its first page, with rel "first". */
                        Link?: string;
                        /** @description Of a whole list: since when this is deprecated, as "@" and Unix seconds (RFC 9745). */
                        Deprecation?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Product"][];
                    };
                };
                /** @description The caller has this version. */
                304: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                401: components["responses"]["UNAUTHENTICATED"];
                421: components["responses"]["MISDIRECTED"];
                422: components["responses"]["INVALID"];
                429: components["responses"]["TOO_MANY"];
                503: components["responses"]["UNAVAILABLE"];
            };
        };
        put?: never;
        /**
         * Create a product
         * @description Needs the permission “Manage products, variants, manufacturers and imports”. Accepts an API key with “catalog.write”.
         */
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        name: string;
                        /**
                         * @default Rx
                         * @enum {string}
                         */
                        category?: "Rx" | "OTC";
                        description?: string | null;
                        image: string;
                        /** @default null */
                        pharmacyId?: string | null;
                    };
                };
            };
            responses: {
                /** @description Success */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Product"];
                    };
                };
                400: components["responses"]["BAD_REQUEST"];
                401: components["responses"]["UNAUTHENTICATED"];
                403: components["responses"]["FORBIDDEN"];
                409: components["responses"]["CONFLICT"];
                413: components["responses"]["TOO_LARGE"];
                415: components["responses"]["UNSUPPORTED_TYPE"];
                421: components["responses"]["MISDIRECTED"];
                422: components["responses"]["INVALID"];
                429: components["responses"]["TOO_MANY"];
                503: components["responses"]["UNAVAILABLE"];
                507: components["responses"]["STORAGE_FULL"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/products/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search products
         * @description For everyone. Accepts an API key.
         */
        get: {
            parameters: {
                query?: {
                    ndc?: string;
                    din?: string;
                    upc?: string;
                    q?: string;
                    manufacturerId?: string;
                    category?: "Rx" | "OTC";
                    limit?: number;
                    include?: "variants";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        /** @description The version of the reply, for If-None-Match. */
                        ETag?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SearchResult"][];
                    };
                };
                /** @description The caller has this version. */
                304: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                401: components["responses"]["UNAUTHENTICATED"];
                421: components["responses"]["MISDIRECTED"];
                422: components["responses"]["INVALID"];
                429: components["responses"]["TOO_MANY"];
                503: components["responses"]["UNAVAILABLE"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/products/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a product
         * @description For everyone. Accepts an API key.
         */
        get: {
            parameters: {
                query?: {
                    include?: "variants";
                };
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        /** @description The version of the reply, for If-None-Match. */
                        ETag?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Product"];
                    };
                };
                /** @description The caller has this version. */
                304: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                401: components["responses"]["UNAUTHENTICATED"];
                404: components["responses"]["NOT_FOUND"];
                421: components["responses"]["MISDIRECTED"];
                422: components["responses"]["INVALID"];
                429: components["responses"]["TOO_MANY"];
                503: components["responses"]["UNAVAILABLE"];
            };
        };
        put?: never;
        post?: never;
        /**
         * Delete a product and its variants
         * @description Needs the permission “Manage products, variants, manufacturers and imports”. Accepts an API key with “catalog.write”.
         */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                401: components["responses"]["UNAUTHENTICATED"];
                403: components["responses"]["FORBIDDEN"];
                404: components["responses"]["NOT_FOUND"];
                409: components["responses"]["CONFLICT"];
                421: components["responses"]["MISDIRECTED"];
                422: components["responses"]["INVALID"];
                429: components["responses"]["TOO_MANY"];
                503: components["responses"]["UNAVAILABLE"];
                507: components["responses"]["STORAGE_FULL"];
            };
        };
        options?: never;
        head?: never;
        /**
         * Change a product
         * @description Needs the permission “Manage products, variants, manufacturers and imports”. Accepts an API key with “catalog.write”.
         */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        name?: string;
                        /** @enum {string} */
                        category?: "Rx" | "OTC";
                        description?: string | null;
                        image?: string;
                    };
                };
            };
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Product"];
                    };
                };
                400: components["responses"]["BAD_REQUEST"];
                401: components["responses"]["UNAUTHENTICATED"];
                403: components["responses"]["FORBIDDEN"];
                404: components["responses"]["NOT_FOUND"];
                409: components["responses"]["CONFLICT"];
                413: components["responses"]["TOO_LARGE"];
                415: components["responses"]["UNSUPPORTED_TYPE"];
                421: components["responses"]["MISDIRECTED"];
                422: components["responses"]["INVALID"];
                429: components["responses"]["TOO_MANY"];
                503: components["responses"]["UNAVAILABLE"];
                507: components["responses"]["STORAGE_FULL"];
            };
        };
        trace?: never;
    };
    "/api/product-variants": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List variants; staff who see costs get acquisitionCost
         * @description For everyone. Accepts an API key.
         */
        get: {
            parameters: {
                query?: {
                    limit?: number;
                    after?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        /** @description The version of the reply, for If-None-Match. */
                        ETag?: string;
                        /** @description The next page, with rel "next". Of a whole list: its first page, with rel "first". */
                        Link?: string;
                        /** @description Of a whole list: since when this is deprecated, as "@" and Unix seconds (RFC 9745). */
                        Deprecation?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Variant"][];
                    };
                };
                /** @description The caller has this version. */
                304: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                401: components["responses"]["UNAUTHENTICATED"];
                421: components["responses"]["MISDIRECTED"];
                422: components["responses"]["INVALID"];
                429: components["responses"]["TOO_MANY"];
                503: components["responses"]["UNAVAILABLE"];
            };
        };
        put?: never;
        /**
         * Create a variant
         * @description Needs the permission “Manage products, variants, manufacturers and imports”. Accepts an API key with “catalog.write”.
         */
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        productId: string;
                        brandName?: string | null;
                        /** @default null */
                        manufacturerId?: string | null;
                        /** @default null */
                        dosageForm?: ("tablet" | "capsule" | "liquid" | "syrup" | "cream" | "ointment" | "gel" | "injection" | "inhaler" | "patch" | "suppository") | null;
                        strength: string;
                        strengthUnit: string;
                        packageSize: number;
                        packageUnit: string;
                        price: string;
                        acquisitionCost?: string | null;
                        sku?: string | null;
                        upc?: string | null;
                        ndc?: string | null;
                        din?: string | null;
                        inStock?: boolean;
                        /** @default 0 */
                        stockQuantity?: number;
                        /** @default null */
                        linkedVariantId?: string | null;
                        /** @default true */
                        trackInventory?: boolean;
                    };
                };
            };
            responses: {
                /** @description Success */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Variant"];
                    };
                };
                400: components["responses"]["BAD_REQUEST"];
                401: components["responses"]["UNAUTHENTICATED"];
                403: components["responses"]["FORBIDDEN"];
                409: components["responses"]["CONFLICT"];
                413: components["responses"]["TOO_LARGE"];
                415: components["responses"]["UNSUPPORTED_TYPE"];
                421: components["responses"]["MISDIRECTED"];
                422: components["responses"]["INVALID"];
                429: components["responses"]["TOO_MANY"];
                503: components["responses"]["UNAVAILABLE"];
                507: components["responses"]["STORAGE_FULL"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/product-variants/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change a variant
         * @description Needs the permission “Manage products, variants, manufacturers and imports”. Accepts an API key with “catalog.write”.
         */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        productId?: string;
                        brandName?: string | null;
                        manufacturerId?: string | null;
                        dosageForm?: ("tablet" | "capsule" | "liquid" | "syrup" | "cream" | "ointment" | "gel" | "injection" | "inhaler" | "patch" | "suppository") | null;
                        strength?: string;
                        strengthUnit?: string;
                        packageSize?: number;
                        packageUnit?: string;
                        price?: string;
                        acquisitionCost?: string | null;
                        sku?: string | null;
                        upc?: string | null;
                        ndc?: string | null;
                        din?: string | null;
                        inStock?: boolean;
                        /**
                         * @deprecated
                         * @description Overwrites what was sold since you read it. Use /api/inventory/adjust instead.
                         */
                        stockQuantity?: number;
                        linkedVariantId?: string | null;
                        trackInventory?: boolean;
                    };
                };
            };
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        /** @description When the body has `stockQuantity`: since when this is deprecated, as "@" and Unix seconds (RFC 9745). */
                        Deprecation?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Variant"];
                    };
                };
                400: components["responses"]["BAD_REQUEST"];
                401: components["responses"]["UNAUTHENTICATED"];
                403: components["responses"]["FORBIDDEN"];
                404: components["responses"]["NOT_FOUND"];
                409: components["responses"]["CONFLICT"];
                413: components["responses"]["TOO_LARGE"];
                415: components["responses"]["UNSUPPORTED_TYPE"];
                421: components["responses"]["MISDIRECTED"];
                422: components["responses"]["INVALID"];
                429: components["responses"]["TOO_MANY"];
                503: components["responses"]["UNAVAILABLE"];
                507: components["responses"]["STORAGE_FULL"];
            };
        };
        trace?: never;
    };
    "/api/manufacturers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List manufacturers; only catalog staff get addresses
         * @description For everyone. Accepts an API key.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        /** @description The version of the reply, for If-None-Match. */
                        ETag?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ManufacturerName"][] | components["schemas"]["Manufacturer"][];
                    };
                };
                /** @description The caller has this version. */
                304: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                401: components["responses"]["UNAUTHENTICATED"];
                421: components["responses"]["MISDIRECTED"];
                422: components["responses"]["INVALID"];
                429: components["responses"]["TOO_MANY"];
                503: components["responses"]["UNAVAILABLE"];
            };
        };
        put?: never;
        /**
         * Create a manufacturer
         * @description Needs the permission “Manage products, variants, manufacturers and imports”. Accepts an API key with “catalog.write”.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        name: string;
                        streetAddress?: string | null;
                        city?: string | null;
                        stateProvince?: string | null;
                        country?: string | null;
                        postalCode?: string | null;
                    };
                };
            };
            responses: {
                /** @description Success */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Manufacturer"];
                    };
                };
                400: components["responses"]["BAD_REQUEST"];
                401: components["responses"]["UNAUTHENTICATED"];
                403: components["responses"]["FORBIDDEN"];
                409: components["responses"]["CONFLICT"];
                413: components["responses"]["TOO_LARGE"];
                415: components["responses"]["UNSUPPORTED_TYPE"];
                421: components["responses"]["MISDIRECTED"];
                422: components["responses"]["INVALID"];
                429: components["responses"]["TOO_MANY"];
                503: components["responses"]["UNAVAILABLE"];
                507: components["responses"]["STORAGE_FULL"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/manufacturers/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a manufacturer that no variant uses
         * @description Needs the permission “Manage products, variants, manufacturers and imports”. Accepts an API key with “catalog.write”.
         */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                401: components["responses"]["UNAUTHENTICATED"];
                403: components["responses"]["FORBIDDEN"];
                404: components["responses"]["NOT_FOUND"];
                409: components["responses"]["CONFLICT"];
                421: components["responses"]["MISDIRECTED"];
                422: components["responses"]["INVALID"];
                429: components["responses"]["TOO_MANY"];
                503: components["responses"]["UNAVAILABLE"];
                507: components["responses"]["STORAGE_FULL"];
            };
        };
        options?: never;
        head?: never;
        /**
         * Change a manufacturer
         * @description Needs the permission “Manage products, variants, manufacturers and imports”. Accepts an API key with “catalog.write”.
         */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        name?: string;
                        streetAddress?: string | null;
                        city?: string | null;
                        stateProvince?: string | null;
                        country?: string | null;
                        postalCode?: string | null;
                    };
                };
            };
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Manufacturer"];
                    };
                };
                400: components["responses"]["BAD_REQUEST"];
                401: components["responses"]["UNAUTHENTICATED"];
                403: components["responses"]["FORBIDDEN"];
                404: components["responses"]["NOT_FOUND"];
                409: components["responses"]["CONFLICT"];
                413: components["responses"]["TOO_LARGE"];
                415: components["responses"]["UNSUPPORTED_TYPE"];
                421: components["responses"]["MISDIRECTED"];
                422: components["responses"]["INVALID"];
                429: components["responses"]["TOO_MANY"];
                503: components["responses"]["UNAVAILABLE"];
                507: components["responses"]["STORAGE_FULL"];
            };
        };
        trace?: never;
    };
    "/api/pharmacies": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List partner pharmacies
         * @description Needs the permission “Manage partner pharmacies”.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Pharmacy"][];
                    };
                };
                401: components["responses"]["UNAUTHENTICATED"];
                403: components["responses"]["FORBIDDEN"];
                421: components["responses"]["MISDIRECTED"];
                422: components["responses"]["INVALID"];
                429: components["responses"]["TOO_MANY"];
                503: components["responses"]["UNAVAILABLE"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/inventory/transactions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List stock transactions, newest first
         * @description Needs the permission “See stock and its history”. Accepts an API key with “stock.read”.
         */
        get: {
            parameters: {
                query?: {
                    limit?: number;
                    after?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        /** @description The next page, with rel "next". Of a whole list: its first page, with rel "first". */
                        Link?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["InventoryTransaction"][];
                    };
                };
                401: components["responses"]["UNAUTHENTICATED"];
                403: components["responses"]["FORBIDDEN"];
                421: components["responses"]["MISDIRECTED"];
                422: components["responses"]["INVALID"];
                429: components["responses"]["TOO_MANY"];
                503: components["responses"]["UNAVAILABLE"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/inventory/variant/{variantId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the stock transactions of a variant, newest first
         * @description Needs the permission “See stock and its history”. Accepts an API key with “stock.read”.
         */
        get: {
            parameters: {
                query?: {
                    limit?: number;
                    after?: string;
                };
                header?: never;
                path: {
                    variantId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        /** @description The next page, with rel "next". Of a whole list: its first page, with rel "first". */
                        Link?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["InventoryTransaction"][];
                    };
                };
                401: components["responses"]["UNAUTHENTICATED"];
                403: components["responses"]["FORBIDDEN"];
                404: components["responses"]["NOT_FOUND"];
                421: components["responses"]["MISDIRECTED"];
                422: components["responses"]["INVALID"];
                429: components["responses"]["TOO_MANY"];
                503: components["responses"]["UNAVAILABLE"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/inventory/adjust": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Adjust the stock of a variant
         * @description Needs the permission “Adjust stock”. Accepts an API key with “stock.write”.
         */
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        variantId: string;
                        quantityChange: number;
                        /** @enum {string} */
                        transactionType: "purchase" | "adjustment" | "return" | "damaged" | "expired";
                        notes?: string | null;
                        lotNumber?: string | null;
                        expiryDate?: string | null;
                    };
                };
            };
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AdjustedStock"];
                    };
                };
                400: components["responses"]["BAD_REQUEST"];
                401: components["responses"]["UNAUTHENTICATED"];
                403: components["responses"]["FORBIDDEN"];
                409: components["responses"]["CONFLICT"];
                413: components["responses"]["TOO_LARGE"];
                415: components["responses"]["UNSUPPORTED_TYPE"];
                421: components["responses"]["MISDIRECTED"];
                422: components["responses"]["INVALID"];
                429: components["responses"]["TOO_MANY"];
                503: components["responses"]["UNAVAILABLE"];
                507: components["responses"]["STORAGE_FULL"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/create-payment-intent": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start a checkout and its payment
         * @description For signed-in users.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        items: {
                            productVariantId: string;
                            quantity: number;
                        }[];
                        shippingAddress?: string | null;
                        prescriptionId?: string | null;
                        alertsRead?: boolean;
                    };
                };
            };
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ClientSecret"];
                    };
                };
                400: components["responses"]["BAD_REQUEST"];
                401: components["responses"]["UNAUTHENTICATED"];
                403: components["responses"]["FORBIDDEN"];
                409: components["responses"]["CONFLICT"];
                413: components["responses"]["TOO_LARGE"];
                415: components["responses"]["UNSUPPORTED_TYPE"];
                421: components["responses"]["MISDIRECTED"];
                422: components["responses"]["INVALID"];
                429: components["responses"]["TOO_MANY"];
                503: components["responses"]["UNAVAILABLE"];
                507: components["responses"]["STORAGE_FULL"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/orders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List all orders
         * @description Needs the permission “Export lists that contain customers”.
         */
        get: {
            parameters: {
                query?: {
                    limit?: number;
                    after?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        /** @description The next page, with rel "next". Of a whole list: its first page, with rel "first". */
                        Link?: string;
                        /** @description Of a whole list: since when this is deprecated, as "@" and Unix seconds (RFC 9745). */
                        Deprecation?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Order"][];
                    };
                };
                401: components["responses"]["UNAUTHENTICATED"];
                403: components["responses"]["FORBIDDEN"];
                421: components["responses"]["MISDIRECTED"];
                422: components["responses"]["INVALID"];
                429: components["responses"]["TOO_MANY"];
                503: components["responses"]["UNAVAILABLE"];
            };
        };
        put?: never;
        /**
         * Place the order for an authorized payment; returns 200 if it already exists
         * @description For signed-in users.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        stripePaymentId: string;
                        status?: unknown;
                        total?: string | null;
                        shippingAddress?: string | null;
                        prescriptionId?: string | null;
                        items?: {
                            productVariantId: string;
                            quantity: number;
                            price?: unknown;
                        }[] | null;
                    };
                };
            };
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Order"];
                    };
                };
                /** @description Success */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Order"];
                    };
                };
                400: components["responses"]["BAD_REQUEST"];
                401: components["responses"]["UNAUTHENTICATED"];
                402: components["responses"]["PAYMENT_REQUIRED"];
                403: components["responses"]["FORBIDDEN"];
                404: components["responses"]["NOT_FOUND"];
                409: components["responses"]["CONFLICT"];
                413: components["responses"]["TOO_LARGE"];
                415: components["responses"]["UNSUPPORTED_TYPE"];
                421: components["responses"]["MISDIRECTED"];
                422: components["responses"]["INVALID"];
                429: components["responses"]["TOO_MANY"];
                503: components["responses"]["UNAVAILABLE"];
                507: components["responses"]["STORAGE_FULL"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/orders/user": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your own orders
         * @description For signed-in users.
         */
        get: {
            parameters: {
                query?: {
                    limit?: number;
                    after?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        /** @description The next page, with rel "next". Of a whole list: its first page, with rel "first". */
                        Link?: string;
                        /** @description Of a whole list: since when this is deprecated, as "@" and Unix seconds (RFC 9745). */
                        Deprecation?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Order"][];
                    };
                };
                401: components["responses"]["UNAUTHENTICATED"];
                403: components["responses"]["FORBIDDEN"];
                421: components["responses"]["MISDIRECTED"];
                422: components["responses"]["INVALID"];
                429: components["responses"]["TOO_MANY"];
                503: components["responses"]["UNAVAILABLE"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/orders/user/{userId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the orders of a user
         * @description For signed-in users.
         */
        get: {
            parameters: {
                query?: {
                    limit?: number;
                    after?: string;
                };
                header?: never;
                path: {
                    userId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        /** @description The next page, with rel "next". Of a whole list: its first page, with rel "first". */
                        Link?: string;
                        /** @description Of a whole list: since when this is deprecated, as "@" and Unix seconds (RFC 9745). */
                        Deprecation?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Order"][];
                    };
                };
                401: components["responses"]["UNAUTHENTICATED"];
                403: components["responses"]["FORBIDDEN"];
                404: components["responses"]["NOT_FOUND"];
                421: components["responses"]["MISDIRECTED"];
                422: components["responses"]["INVALID"];
                429: components["responses"]["TOO_MANY"];
                503: components["responses"]["UNAVAILABLE"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/orders/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an order
         * @description For signed-in users. Accepts an API key with “orders.read”.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Order"];
                    };
                };
                401: components["responses"]["UNAUTHENTICATED"];
                404: components["responses"]["NOT_FOUND"];
                421: components["responses"]["MISDIRECTED"];
                422: components["responses"]["INVALID"];
                429: components["responses"]["TOO_MANY"];
                503: components["responses"]["UNAVAILABLE"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change the status or the shipment of an order
         * @description Needs the permission “See orders, their customers and addresses”. Accepts an API key with “orders.ship”.
         */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @enum {string} */
                        status?: "pending" | "processing" | "shipped" | "delivered" | "cancelled";
                        trackingNumber?: string | null;
                        carrier?: string | null;
                        estimatedDelivery?: string | null;
                    };
                };
            };
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Order"];
                    };
                };
                400: components["responses"]["BAD_REQUEST"];
                401: components["responses"]["UNAUTHENTICATED"];
                403: components["responses"]["FORBIDDEN"];
                404: components["responses"]["NOT_FOUND"];
                409: components["responses"]["CONFLICT"];
                413: components["responses"]["TOO_LARGE"];
                415: components["responses"]["UNSUPPORTED_TYPE"];
                421: components["responses"]["MISDIRECTED"];
                422: components["responses"]["INVALID"];
                429: components["responses"]["TOO_MANY"];
                503: components["responses"]["UNAVAILABLE"];
                507: components["responses"]["STORAGE_FULL"];
            };
        };
        trace?: never;
    };
    "/api/prescriptions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your own prescriptions
         * @description For signed-in users.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Prescription"][];
                    };
                };
                401: components["responses"]["UNAUTHENTICATED"];
                403: components["responses"]["FORBIDDEN"];
                421: components["responses"]["MISDIRECTED"];
                422: components["responses"]["INVALID"];
                429: components["responses"]["TOO_MANY"];
                503: components["responses"]["UNAVAILABLE"];
            };
        };
        put?: never;
        /**
         * Submit a prescription
         * @description For signed-in users.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        doctorName?: string | null;
                        prescriptionDate?: string | null;
                        expiryDate?: string | null;
                        notes?: string | null;
                        fileUrl: string;
                    };
                };
            };
            responses: {
                /** @description Success */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Prescription"];
                    };
                };
                400: components["responses"]["BAD_REQUEST"];
                401: components["responses"]["UNAUTHENTICATED"];
                403: components["responses"]["FORBIDDEN"];
                409: components["responses"]["CONFLICT"];
                413: components["responses"]["TOO_LARGE"];
                415: components["responses"]["UNSUPPORTED_TYPE"];
                421: components["responses"]["MISDIRECTED"];
                422: components["responses"]["INVALID"];
                429: components["responses"]["TOO_MANY"];
                503: components["responses"]["UNAVAILABLE"];
                507: components["responses"]["STORAGE_FULL"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/prescriptions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete your own prescription
         * @description For signed-in users.
         */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                401: components["responses"]["UNAUTHENTICATED"];
                403: components["responses"]["FORBIDDEN"];
                404: components["responses"]["NOT_FOUND"];
                409: components["responses"]["CONFLICT"];
                421: components["responses"]["MISDIRECTED"];
                422: components["responses"]["INVALID"];
                429: components["responses"]["TOO_MANY"];
                503: components["responses"]["UNAVAILABLE"];
                507: components["responses"]["STORAGE_FULL"];
            };
        };
        options?: never;
        head?: never;
        /**
         * Approve or reject a prescription
         * @description Needs the permission “Review, approve and reject prescriptions”.
         */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @enum {string} */
                        status?: "under_review" | "approved" | "rejected" | "expired";
                        statusReason?: string | null;
                    };
                };
            };
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Prescription"];
                    };
                };
                400: components["responses"]["BAD_REQUEST"];
                401: components["responses"]["UNAUTHENTICATED"];
                403: components["responses"]["FORBIDDEN"];
                404: components["responses"]["NOT_FOUND"];
                409: components["responses"]["CONFLICT"];
                413: components["responses"]["TOO_LARGE"];
                415: components["responses"]["UNSUPPORTED_TYPE"];
                421: components["responses"]["MISDIRECTED"];
                422: components["responses"]["INVALID"];
                429: components["responses"]["TOO_MANY"];
                503: components["responses"]["UNAVAILABLE"];
                507: components["responses"]["STORAGE_FULL"];
            };
        };
        trace?: never;
    };
    "/api/prescriptions/{id}/file": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Open the file of a prescription
         * @description For signed-in users.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The file */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/pdf": unknown;
                        "image/jpeg": unknown;
                        "image/png": unknown;
                    };
                };
                401: components["responses"]["UNAUTHENTICATED"];
                403: components["responses"]["FORBIDDEN"];
                404: components["responses"]["NOT_FOUND"];
                421: components["responses"]["MISDIRECTED"];
                422: components["responses"]["INVALID"];
                429: components["responses"]["TOO_MANY"];
                503: components["responses"]["UNAVAILABLE"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/prescriptions/user/{userId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the prescriptions of a user
         * @description Needs the permission “Review, approve and reject prescriptions”.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    userId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Prescription"][];
                    };
                };
                401: components["responses"]["UNAUTHENTICATED"];
                403: components["responses"]["FORBIDDEN"];
                404: components["responses"]["NOT_FOUND"];
                421: components["responses"]["MISDIRECTED"];
                422: components["responses"]["INVALID"];
                429: components["responses"]["TOO_MANY"];
                503: components["responses"]["UNAVAILABLE"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/prescriptions/order/{orderId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the prescriptions of an order
         * @description For signed-in users.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    orderId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Prescription"][];
                    };
                };
                401: components["responses"]["UNAUTHENTICATED"];
                403: components["responses"]["FORBIDDEN"];
                404: components["responses"]["NOT_FOUND"];
                421: components["responses"]["MISDIRECTED"];
                422: components["responses"]["INVALID"];
                429: components["responses"]["TOO_MANY"];
                503: components["responses"]["UNAVAILABLE"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/user": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get your own profile
         * @description For signed-in users.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["User"];
                    };
                };
                401: components["responses"]["UNAUTHENTICATED"];
                403: components["responses"]["FORBIDDEN"];
                421: components["responses"]["MISDIRECTED"];
                422: components["responses"]["INVALID"];
                429: components["responses"]["TOO_MANY"];
                503: components["responses"]["UNAVAILABLE"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/profile": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change your own profile
         * @description For signed-in users.
         */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        firstName?: string | null;
                        lastName?: string | null;
                        gender?: ("male" | "female" | "other" | "prefer_not_to_say") | null;
                        weight?: number | null;
                        cellPhone?: string | null;
                        homePhone?: string | null;
                        currentMedications?: string | null;
                        allergies?: string | null;
                        shippingStreet?: string | null;
                        shippingStreetAddress?: string | null;
                        shippingCity?: string | null;
                        shippingState?: string | null;
                        shippingStateProvince?: string | null;
                        shippingCountry?: string | null;
                        shippingZip?: string | null;
                        shippingZipCode?: string | null;
                        billingStreet?: string | null;
                        billingStreetAddress?: string | null;
                        billingCity?: string | null;
                        billingState?: string | null;
                        billingStateProvince?: string | null;
                        billingCountry?: string | null;
                        billingZip?: string | null;
                        billingZipCode?: string | null;
                        dateOfBirth?: string | null;
                    };
                };
            };
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["User"];
                    };
                };
                400: components["responses"]["BAD_REQUEST"];
                401: components["responses"]["UNAUTHENTICATED"];
                403: components["responses"]["FORBIDDEN"];
                409: components["responses"]["CONFLICT"];
                413: components["responses"]["TOO_LARGE"];
                415: components["responses"]["UNSUPPORTED_TYPE"];
                421: components["responses"]["MISDIRECTED"];
                422: components["responses"]["INVALID"];
                429: components["responses"]["TOO_MANY"];
                503: components["responses"]["UNAVAILABLE"];
                507: components["responses"]["STORAGE_FULL"];
            };
        };
        trace?: never;
    };
    "/api/profile/id-document": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Replace your ID document
         * @description For signed-in users.
         */
        put: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        idDocumentURL: string;
                    };
                };
            };
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["UserInUser"];
                    };
                };
                400: components["responses"]["BAD_REQUEST"];
                401: components["responses"]["UNAUTHENTICATED"];
                403: components["responses"]["FORBIDDEN"];
                409: components["responses"]["CONFLICT"];
                413: components["responses"]["TOO_LARGE"];
                415: components["responses"]["UNSUPPORTED_TYPE"];
                421: components["responses"]["MISDIRECTED"];
                422: components["responses"]["INVALID"];
                429: components["responses"]["TOO_MANY"];
                503: components["responses"]["UNAVAILABLE"];
                507: components["responses"]["STORAGE_FULL"];
            };
        };
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/shipping-addresses": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your saved addresses
         * @description For signed-in users.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Address"][];
                    };
                };
                401: components["responses"]["UNAUTHENTICATED"];
                403: components["responses"]["FORBIDDEN"];
                421: components["responses"]["MISDIRECTED"];
                422: components["responses"]["INVALID"];
                429: components["responses"]["TOO_MANY"];
                503: components["responses"]["UNAVAILABLE"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List all accounts
         * @description Needs the permission “Export lists that contain customers”.
         */
        get: {
            parameters: {
                query?: {
                    limit?: number;
                    after?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        /** @description The next page, with rel "next". Of a whole list: its first page, with rel "first". */
                        Link?: string;
                        /** @description Of a whole list: since when this is deprecated, as "@" and Unix seconds (RFC 9745). */
                        Deprecation?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["UserSummary"][];
                    };
                };
                401: components["responses"]["UNAUTHENTICATED"];
                403: components["responses"]["FORBIDDEN"];
                421: components["responses"]["MISDIRECTED"];
                422: components["responses"]["INVALID"];
                429: components["responses"]["TOO_MANY"];
                503: components["responses"]["UNAVAILABLE"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a user: your own, or any with permission
         * @description For signed-in users.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["User"];
                    };
                };
                401: components["responses"]["UNAUTHENTICATED"];
                403: components["responses"]["FORBIDDEN"];
                404: components["responses"]["NOT_FOUND"];
                421: components["responses"]["MISDIRECTED"];
                422: components["responses"]["INVALID"];
                429: components["responses"]["TOO_MANY"];
                503: components["responses"]["UNAVAILABLE"];
            };
        };
        put?: never;
        post?: never;
        /**
         * Delete a user
         * @description Needs the permission “Edit and delete accounts”.
         */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                401: components["responses"]["UNAUTHENTICATED"];
                403: components["responses"]["FORBIDDEN"];
                404: components["responses"]["NOT_FOUND"];
                409: components["responses"]["CONFLICT"];
                421: components["responses"]["MISDIRECTED"];
                422: components["responses"]["INVALID"];
                429: components["responses"]["TOO_MANY"];
                503: components["responses"]["UNAVAILABLE"];
                507: components["responses"]["STORAGE_FULL"];
            };
        };
        options?: never;
        head?: never;
        /**
         * Change a user
         * @description Needs the permission “Edit and delete accounts”.
         */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        firstName?: string | null;
                        lastName?: string | null;
                        gender?: ("male" | "female" | "other" | "prefer_not_to_say") | null;
                        weight?: number | null;
                        cellPhone?: string | null;
                        homePhone?: string | null;
                        currentMedications?: string | null;
                        allergies?: string | null;
                        shippingStreet?: string | null;
                        shippingStreetAddress?: string | null;
                        shippingCity?: string | null;
                        shippingState?: string | null;
                        shippingStateProvince?: string | null;
                        shippingCountry?: string | null;
                        shippingZip?: string | null;
                        shippingZipCode?: string | null;
                        billingStreet?: string | null;
                        billingStreetAddress?: string | null;
                        billingCity?: string | null;
                        billingState?: string | null;
                        billingStateProvince?: string | null;
                        billingCountry?: string | null;
                        billingZip?: string | null;
                        billingZipCode?: string | null;
                        dateOfBirth?: string | null;
                        isAdmin?: boolean;
                    };
                };
            };
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["User"];
                    };
                };
                400: components["responses"]["BAD_REQUEST"];
                401: components["responses"]["UNAUTHENTICATED"];
                403: components["responses"]["FORBIDDEN"];
                404: components["responses"]["NOT_FOUND"];
                409: components["responses"]["CONFLICT"];
                413: components["responses"]["TOO_LARGE"];
                415: components["responses"]["UNSUPPORTED_TYPE"];
                421: components["responses"]["MISDIRECTED"];
                422: components["responses"]["INVALID"];
                429: components["responses"]["TOO_MANY"];
                503: components["responses"]["UNAVAILABLE"];
                507: components["responses"]["STORAGE_FULL"];
            };
        };
        trace?: never;
    };
    "/api/users/{id}/id-document": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Open the ID document of a user
         * @description For signed-in users.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The file */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/pdf": unknown;
                        "image/jpeg": unknown;
                        "image/png": unknown;
                    };
                };
                401: components["responses"]["UNAUTHENTICATED"];
                403: components["responses"]["FORBIDDEN"];
                404: components["responses"]["NOT_FOUND"];
                421: components["responses"]["MISDIRECTED"];
                422: components["responses"]["INVALID"];
                429: components["responses"]["TOO_MANY"];
                503: components["responses"]["UNAVAILABLE"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/objects/upload": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get an address for one upload
         * @description For signed-in users.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["UploadUrl"];
                    };
                };
                401: components["responses"]["UNAUTHENTICATED"];
                403: components["responses"]["FORBIDDEN"];
                409: components["responses"]["CONFLICT"];
                421: components["responses"]["MISDIRECTED"];
                422: components["responses"]["INVALID"];
                429: components["responses"]["TOO_MANY"];
                503: components["responses"]["UNAVAILABLE"];
                507: components["responses"]["STORAGE_FULL"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/objects/upload/{ticket}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Upload a file; the body is the file itself
         * @description For signed-in users.
         */
        put: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    ticket: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/octet-stream": unknown;
                };
            };
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["UploadedFile"];
                    };
                };
                400: components["responses"]["BAD_REQUEST"];
                401: components["responses"]["UNAUTHENTICATED"];
                403: components["responses"]["FORBIDDEN"];
                404: components["responses"]["NOT_FOUND"];
                409: components["responses"]["CONFLICT"];
                410: components["responses"]["GONE"];
                413: components["responses"]["TOO_LARGE"];
                415: components["responses"]["UNSUPPORTED_TYPE"];
                421: components["responses"]["MISDIRECTED"];
                422: components["responses"]["INVALID"];
                429: components["responses"]["TOO_MANY"];
                503: components["responses"]["UNAVAILABLE"];
                507: components["responses"]["STORAGE_FULL"];
            };
        };
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Go to the sign-in page
         * @description For everyone.
         */
        get: {
            parameters: {
                query?: {
                    returnTo?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description A redirect */
                302: {
                    headers: {
                        Location?: string;
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                401: components["responses"]["UNAUTHENTICATED"];
                403: components["responses"]["FORBIDDEN"];
                421: components["responses"]["MISDIRECTED"];
                422: components["responses"]["INVALID"];
                429: components["responses"]["TOO_MANY"];
                503: components["responses"]["UNAVAILABLE"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Sign out
         * @description For everyone.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description A redirect */
                302: {
                    headers: {
                        Location?: string;
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                401: components["responses"]["UNAUTHENTICATED"];
                403: components["responses"]["FORBIDDEN"];
                421: components["responses"]["MISDIRECTED"];
                422: components["responses"]["INVALID"];
                429: components["responses"]["TOO_MANY"];
                503: components["responses"]["UNAVAILABLE"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Product: {
            /** Format: uuid */
            id: string;
            name: string;
            description: string | null;
            image: string;
            /** @enum {string} */
            category: "Rx" | "OTC";
            pharmacyId: string | null;
            controlledSchedule: string | null;
            variants?: {
                /** Format: uuid */
                id: string;
                /** Format: uuid */
                productId: string;
                brandName: string | null;
                genericName: string;
                manufacturerId: string | null;
                dosageForm: ("tablet" | "capsule" | "liquid" | "syrup" | "cream" | "ointment" | "gel" | "injection" | "inhaler" | "patch" | "suppository") | null;
                /** @description What the label adds: `extended release`. Can be empty. */
                formDetail: string;
                strength: string;
                strengthUnit: string;
                packageSize: number;
                packageUnit: string;
                price: string | null;
                sku: string | null;
                /** @description 12 digits, unless staff entered the identifier as printed on the package. */
                upc: string | null;
                /** @description A package code with dashes, like 0228-2899-96, unless staff entered the identifier as printed on the package. */
                ndc: string | null;
                /** @description 8 digits, unless staff entered the identifier as printed on the package. */
                din: string | null;
                inStock: boolean;
                stockQuantity: number;
                trackInventory: boolean;
                linkedVariantId: string | null;
                acquisitionCost?: string | null;
            }[];
        };
        SearchResult: {
            /** Format: uuid */
            id: string;
            name: string;
            description: string | null;
            image: string;
            /** @enum {string} */
            category: "Rx" | "OTC";
            pharmacyId: string | null;
            controlledSchedule: string | null;
            matchedVariantId: string | null;
            variants?: {
                /** Format: uuid */
                id: string;
                /** Format: uuid */
                productId: string;
                brandName: string | null;
                genericName: string;
                manufacturerId: string | null;
                dosageForm: ("tablet" | "capsule" | "liquid" | "syrup" | "cream" | "ointment" | "gel" | "injection" | "inhaler" | "patch" | "suppository") | null;
                /** @description What the label adds: `extended release`. Can be empty. */
                formDetail: string;
                strength: string;
                strengthUnit: string;
                packageSize: number;
                packageUnit: string;
                price: string | null;
                sku: string | null;
                /** @description 12 digits, unless staff entered the identifier as printed on the package. */
                upc: string | null;
                /** @description A package code with dashes, like 0228-2899-96, unless staff entered the identifier as printed on the package. */
                ndc: string | null;
                /** @description 8 digits, unless staff entered the identifier as printed on the package. */
                din: string | null;
                inStock: boolean;
                stockQuantity: number;
                trackInventory: boolean;
                linkedVariantId: string | null;
                acquisitionCost?: string | null;
            }[];
        };
        Variant: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            productId: string;
            brandName: string | null;
            genericName: string;
            manufacturerId: string | null;
            dosageForm: ("tablet" | "capsule" | "liquid" | "syrup" | "cream" | "ointment" | "gel" | "injection" | "inhaler" | "patch" | "suppository") | null;
            /** @description What the label adds: `extended release`. Can be empty. */
            formDetail: string;
            strength: string;
            strengthUnit: string;
            packageSize: number;
            packageUnit: string;
            price: string | null;
            sku: string | null;
            /** @description 12 digits, unless staff entered the identifier as printed on the package. */
            upc: string | null;
            /** @description A package code with dashes, like 0228-2899-96, unless staff entered the identifier as printed on the package. */
            ndc: string | null;
            /** @description 8 digits, unless staff entered the identifier as printed on the package. */
            din: string | null;
            inStock: boolean;
            stockQuantity: number;
            trackInventory: boolean;
            linkedVariantId: string | null;
            acquisitionCost?: string | null;
        };
        Manufacturer: {
            /** Format: uuid */
            id: string;
            name: string;
            streetAddress: string | null;
            city: string | null;
            stateProvince: string | null;
            country: string | null;
            postalCode: string | null;
        };
        ManufacturerName: {
            /** Format: uuid */
            id: string;
            name: string;
        };
        Pharmacy: {
            /** Format: uuid */
            id: string;
            name: string;
            country: string;
            licenceNumber: string;
            /** Format: date */
            licenceExpiry: string;
            shipsTo: string[];
            active: boolean;
        };
        InventoryTransaction: {
            id: string;
            /** Format: uuid */
            productVariantId: string;
            /** @enum {string} */
            transactionType: "purchase" | "adjustment" | "return" | "damaged" | "expired" | "sale" | "cancellation";
            quantityChange: number;
            quantityBefore: number;
            quantityAfter: number;
            notes: string | null;
            /** Format: date-time */
            createdAt: string;
        };
        AdjustedStock: {
            id: string;
            /** Format: uuid */
            productVariantId: string;
            /** @enum {string} */
            transactionType: "purchase" | "adjustment" | "return" | "damaged" | "expired" | "sale" | "cancellation";
            quantityChange: number;
            quantityBefore: number;
            quantityAfter: number;
            notes: string | null;
            /** Format: date-time */
            createdAt: string;
            lotNumber?: string;
            /** Format: date */
            expiryDate?: string;
            /** @enum {string} */
            lotStatus?: "available" | "quarantined" | "expired";
        };
        Order: {
            /** Format: uuid */
            id: string;
            userId: string | null;
            /** @enum {string} */
            status: "pending" | "processing" | "shipped" | "delivered" | "cancelled";
            total: string;
            refunded: string;
            shippingAddress: string;
            stripePaymentId: string;
            prescriptionId: string | null;
            trackingNumber: string | null;
            carrier: string | null;
            estimatedDelivery: string | null;
            /** Format: date-time */
            createdAt: string;
            customerName: string;
            customerEmail: string;
            items: {
                id: string;
                /** Format: uuid */
                productVariantId: string;
                quantity: number;
                price: string;
                product: {
                    /** Format: uuid */
                    id: string;
                    name: string;
                    /** @enum {string} */
                    category: "Rx" | "OTC";
                };
                variant: {
                    brandName: string | null;
                    strength: string;
                    strengthUnit: string;
                    dosageForm: ("tablet" | "capsule" | "liquid" | "syrup" | "cream" | "ointment" | "gel" | "injection" | "inhaler" | "patch" | "suppository") | null;
                    /** @description What the label adds: `extended release`. Can be empty. */
                    formDetail: string;
                    packageSize: number;
                    packageUnit: string;
                };
                daysSupply?: number;
                patientId?: string;
            }[];
            refusedItems: {
                id: string;
                /** Format: uuid */
                productVariantId: string;
                quantity: number;
                price: string;
                product: {
                    /** Format: uuid */
                    id: string;
                    name: string;
                    /** @enum {string} */
                    category: "Rx" | "OTC";
                };
                variant: {
                    brandName: string | null;
                    strength: string;
                    strengthUnit: string;
                    dosageForm: ("tablet" | "capsule" | "liquid" | "syrup" | "cream" | "ointment" | "gel" | "injection" | "inhaler" | "patch" | "suppository") | null;
                    /** @description What the label adds: `extended release`. Can be empty. */
                    formDetail: string;
                    packageSize: number;
                    packageUnit: string;
                };
                daysSupply?: number;
                patientId?: string;
                reason: string;
                /** Format: date-time */
                refusedAt: string;
            }[];
        };
        User: {
            /** Format: uuid */
            id: string;
            email: string;
            firstName: string | null;
            lastName: string | null;
            isAdmin: boolean;
            /** Format: date-time */
            createdAt: string;
            profileImageUrl: null;
            gender: ("male" | "female" | "other" | "prefer_not_to_say") | null;
            dateOfBirth: string | null;
            weight: number | null;
            cellPhone: string | null;
            homePhone: string | null;
            currentMedications: string | null;
            allergies: string | null;
            shippingStreet: string | null;
            shippingStreetAddress: string | null;
            shippingCity: string | null;
            shippingState: string | null;
            shippingStateProvince: string | null;
            shippingCountry: string | null;
            shippingZip: string | null;
            shippingZipCode: string | null;
            billingStreet: string | null;
            billingStreetAddress: string | null;
            billingCity: string | null;
            billingState: string | null;
            billingStateProvince: string | null;
            billingCountry: string | null;
            billingZip: string | null;
            billingZipCode: string | null;
            idDocumentPath: string | null;
        };
        UserSummary: {
            /** Format: uuid */
            id: string;
            email: string;
            firstName: string | null;
            lastName: string | null;
            isAdmin: boolean;
            /** Format: date-time */
            createdAt: string;
            profileImageUrl: null;
        };
        UserInUser: {
            user: {
                /** Format: uuid */
                id: string;
                email: string;
                firstName: string | null;
                lastName: string | null;
                isAdmin: boolean;
                /** Format: date-time */
                createdAt: string;
                profileImageUrl: null;
                gender: ("male" | "female" | "other" | "prefer_not_to_say") | null;
                dateOfBirth: string | null;
                weight: number | null;
                cellPhone: string | null;
                homePhone: string | null;
                currentMedications: string | null;
                allergies: string | null;
                shippingStreet: string | null;
                shippingStreetAddress: string | null;
                shippingCity: string | null;
                shippingState: string | null;
                shippingStateProvince: string | null;
                shippingCountry: string | null;
                shippingZip: string | null;
                shippingZipCode: string | null;
                billingStreet: string | null;
                billingStreetAddress: string | null;
                billingCity: string | null;
                billingState: string | null;
                billingStateProvince: string | null;
                billingCountry: string | null;
                billingZip: string | null;
                billingZipCode: string | null;
                idDocumentPath: string | null;
            };
        };
        Prescription: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            userId?: string;
            doctorName: string | null;
            prescriptionDate: string | null;
            expiryDate: string | null;
            notes: string | null;
            orderId: string | null;
            /** Format: date-time */
            uploadedAt: string;
            /** @enum {string} */
            status: "under_review" | "approved" | "rejected" | "expired";
            statusReason: string | null;
            fileUrl: string;
        };
        Address: {
            /** Format: uuid */
            id: string;
            /** @constant */
            addressType: "shipping";
            isDefault: boolean;
            streetAddress: string;
            city: string;
            stateProvince: string;
            zipCode: string;
            country: string;
        };
        ClientSecret: {
            clientSecret: string;
            total: string;
        };
        UploadUrl: {
            /** Format: uri */
            uploadURL: string;
        };
        UploadedFile: {
            url: string;
        };
    };
    responses: {
        /** @description The request could not be read. */
        BAD_REQUEST: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "text/plain": string;
            };
        };
        /** @description Sign in to continue. */
        UNAUTHENTICATED: {
            headers: {
                /** @description Bearer, with error="invalid_token" for a wrong API key. */
                "WWW-Authenticate"?: string;
                [name: string]: unknown;
            };
            content: {
                "text/plain": string;
            };
        };
        /** @description The payment hasn’t gone through. */
        PAYMENT_REQUIRED: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "text/plain": string;
            };
        };
        /** @description You don’t have permission to do this. */
        FORBIDDEN: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "text/plain": string;
            };
        };
        /** @description Confirm it’s you with a code from your authenticator app, then try again. */
        CODE_REQUIRED: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "text/plain": string;
            };
        };
        /** @description This patient has no open case. Open their page and give a reason first. */
        REASON_REQUIRED: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "text/plain": string;
            };
        };
        /** @description Not found. */
        NOT_FOUND: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "text/plain": string;
            };
        };
        /** @description This method is not allowed. */
        METHOD_NOT_ALLOWED: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "text/plain": string;
            };
        };
        /** @description This has changed in the meantime. Reload and try again. */
        CONFLICT: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "text/plain": string;
            };
        };
        /** @description Confirm this change first. */
        CONFIRMATION_REQUIRED: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "text/plain": string;
            };
        };
        /** @description This is no longer available. */
        GONE: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "text/plain": string;
            };
        };
        /** @description The request is too large. */
        TOO_LARGE: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "text/plain": string;
            };
        };
        /** @description This content type is not accepted. */
        UNSUPPORTED_TYPE: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "text/plain": string;
            };
        };
        /** @description This host name is not recognized. */
        MISDIRECTED: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "text/plain": string;
            };
        };
        /** @description Check the fields and try again. */
        INVALID: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "text/plain": string;
            };
        };
        /** @description Too many requests. Wait a moment, then try again. */
        TOO_MANY: {
            headers: {
                /** @description How many seconds to wait. */
                "Retry-After"?: number;
                [name: string]: unknown;
            };
            content: {
                "text/plain": string;
            };
        };
        /** @description Something went wrong on our end. */
        INTERNAL: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "text/plain": string;
            };
        };
        /** @description The service is temporarily unavailable. Try again in a moment. */
        UNAVAILABLE: {
            headers: {
                /** @description How many seconds to wait. */
                "Retry-After"?: number;
                [name: string]: unknown;
            };
            content: {
                "text/plain": string;
            };
        };
        /** @description We can’t save anything right now. Try again later. */
        STORAGE_FULL: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "text/plain": string;
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export type operations = Record<string, never>;

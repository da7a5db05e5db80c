// Before Prism is loaded: it is not to answer the messages of the worker that it runs in, nor to look for texts in a page.

// biome-ignore lint/style/useNamingConvention: Prism's own name
(globalThis as { Prism?: object }).Prism = { manual: true, disableWorkerMessageHandler: true };

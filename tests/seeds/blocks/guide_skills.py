from lauren_ai.skills import WebSearchTool, HttpFetchTool, CodeExecutionTool

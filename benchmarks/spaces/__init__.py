"""Motion spaces: accuracy beside other ways to choose weights, truth, smoothness and live control."""

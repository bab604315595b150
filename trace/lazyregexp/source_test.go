package lazyregexp_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestEveryExpressionCompiles stands in for the compiling that no longer happens when the program starts.
func TestEveryExpressionCompiles(t *testing.T) {
	n := 0
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(node ast.Node) bool {
			if expr, ok := literal(node); ok {
				n++
				if _, err := regexp.Compile(expr); err != nil {
					t.Errorf("%s: %v", path, err)
				}
			}
			return true
		})
		return nil
	})
	if err != nil || n < 50 {
		t.Errorf("%d expressions found: %v", n, err)
	}
}

// literal is the expression that a call of lazyregexp.New is given.
func literal(node ast.Node) (string, bool) {
	call, ok := node.(*ast.CallExpr)
	if !ok || len(call.Args) != 1 {
		return "", false
	}
	of, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || of.Sel.Name != "New" {
		return "", false
	}
	text, ok := call.Args[0].(*ast.BasicLit)
	if pkg, isName := of.X.(*ast.Ident); !ok || !isName || pkg.Name != "lazyregexp" {
		return "", false
	}
	expr, err := strconv.Unquote(text.Value)
	return expr, err == nil
}
